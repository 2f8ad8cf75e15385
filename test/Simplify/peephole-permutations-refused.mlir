// RUN: jit-opt %s --split-input-file --jit-peephole | FileCheck %s

// The second transpose does not undo the first where what lies between is a view of another type, of steps of its own (be they those that
// a tensor of these sizes may have), of a tensor that begins elsewhere, of one element again and again, or of fewer dimensions.

// CHECK-LABEL: func.func @between
// CHECK-COUNT-6: aten.t %
//       CHECK: return
func.func @between(%x: !jit.tensor<[4,4],f32>, %y: !jit.tensor<[1,4,4],f32>)
    -> (!jit.tensor<[4,4],i32>, !jit.tensor<[4,4],f32>, !jit.tensor<[4,4],f32>, !jit.tensor<[4,4],f32>, !jit.tensor<[4,4],f32>, !jit.tensor<[4,2],f32>) {
  %false = arith.constant false
  %none = jit.constant !jit.none = unit
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %2 = arith.constant 2 : i64
  %3 = arith.constant 3 : i64
  %4 = arith.constant 4 : i64
  %first = arith.constant 1009 : i64
  %second = arith.constant 1010 : i64
  %sizes = jit.list %4, %4 : (i64, i64) -> !jit.list<i64>
  %steps = jit.list %second, %first : (i64, i64) -> !jit.list<i64>
  %again = jit.list %1, %1 : (i64, i64) -> !jit.list<i64>
  %ints = aten.to.dtype %x, %3, %false, %false, %none : (!jit.tensor<[4,4],f32>, i64, i1, i1, !jit.none) -> !jit.tensor<[4,4],i32>
  %a = aten.t %ints : (!jit.tensor<[4,4],i32>) -> !jit.tensor<[4,4],i32>
  %own = aten.as_strided %x, %sizes, %steps, %0 : (!jit.tensor<[4,4],f32>, !jit.list<i64>, !jit.list<i64>, i64) -> !jit.tensor<[4,4],f32>
  %b = aten.t %own : (!jit.tensor<[4,4],f32>) -> !jit.tensor<[4,4],f32>
  %later = aten.as_strided %x, %sizes, %steps, %1 : (!jit.tensor<[4,4],f32>, !jit.list<i64>, !jit.list<i64>, i64) -> !jit.tensor<[4,4],f32>
  %c = aten.t %later : (!jit.tensor<[4,4],f32>) -> !jit.tensor<[4,4],f32>
  %same = aten.as_strided %x, %sizes, %again, %0 : (!jit.tensor<[4,4],f32>, !jit.list<i64>, !jit.list<i64>, i64) -> !jit.tensor<[4,4],f32>
  %d = aten.t %same : (!jit.tensor<[4,4],f32>) -> !jit.tensor<[4,4],f32>
  %fewer = aten.squeeze %y : (!jit.tensor<[1,4,4],f32>) -> !jit.tensor<[4,4],f32>
  %e = aten.t %fewer : (!jit.tensor<[4,4],f32>) -> !jit.tensor<[4,4],f32>
  %columns = aten.slice.Tensor %x, %0, %0, %2, %1 : (!jit.tensor<[4,4],f32>, i64, i64, i64, i64) -> !jit.tensor<[2,4],f32>
  %f = aten.t %columns : (!jit.tensor<[2,4],f32>) -> !jit.tensor<[4,2],f32>
  return %a, %b, %c, %d, %e, %f : !jit.tensor<[4,4],i32>, !jit.tensor<[4,4],f32>, !jit.tensor<[4,4],f32>, !jit.tensor<[4,4],f32>, !jit.tensor<[4,4],f32>, !jit.tensor<[4,2],f32>
}

// -----

// Nor is a transposed product one of transposed operands whose sizes are not known; an operator that is no product stays as it is.

// CHECK-LABEL: func.func @products
// CHECK-COUNT-3: aten.t %
//       CHECK: return
func.func @products(%x: !jit.tensor<[8,3],f32>, %u: !jit.tensor<[8,?],f32>, %v: !jit.tensor<[?,5],f32>, %y: !jit.tensor<[3,5],f32>)
    -> (!jit.tensor<[5,8],f32>, !jit.tensor<[5,8],f32>, !jit.tensor<[3,8],f32>) {
  %p = aten.mm %u, %y : (!jit.tensor<[8,?],f32>, !jit.tensor<[3,5],f32>) -> !jit.tensor<[8,5],f32>
  %pt = aten.t %p : (!jit.tensor<[8,5],f32>) -> !jit.tensor<[5,8],f32>
  %q = aten.mm %x, %v : (!jit.tensor<[8,3],f32>, !jit.tensor<[?,5],f32>) -> !jit.tensor<[8,5],f32>
  %qt = aten.t %q : (!jit.tensor<[8,5],f32>) -> !jit.tensor<[5,8],f32>
  %r = aten.mul.Tensor %x, %x : (!jit.tensor<[8,3],f32>, !jit.tensor<[8,3],f32>) -> !jit.tensor<[8,3],f32>
  %rt = aten.t %r : (!jit.tensor<[8,3],f32>) -> !jit.tensor<[3,8],f32>
  return %pt, %qt, %rt : !jit.tensor<[5,8],f32>, !jit.tensor<[5,8],f32>, !jit.tensor<[3,8],f32>
}

// -----

// What stops gradients is no order of dimensions.

// CHECK-LABEL: func.func @stopped
//       CHECK: aten.detach
//       CHECK: return
func.func @stopped(%x: !jit.tensor<[4,4],f32>) -> !jit.tensor<[4,4],f32> {
  %0 = aten.detach %x : (!jit.tensor<[4,4],f32>) -> !jit.tensor<[4,4],f32>
  return %0 : !jit.tensor<[4,4],f32>
}
