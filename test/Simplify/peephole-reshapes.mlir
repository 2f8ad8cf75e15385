// RUN: jit-opt %s --split-input-file --jit-peephole | FileCheck %s

// A view of a part, of another type, of another order, of elements apart, and of what stops gradients is not one of the whole; of a tensor
// with a dimension more it is. So is one that begins elsewhere, or is a copy, none; and one of the same sizes is the tensor.

// CHECK-LABEL: func.func @views
//  CHECK-SAME: (%[[X:.*]]: !jit.tensor<[4,6],f32>)
//       CHECK: %[[PART:.*]] = aten.slice.Tensor %[[X]]
//       CHECK: aten.view %[[PART]]
//       CHECK: %[[INTS:.*]] = aten.to.dtype %[[X]]
//       CHECK: aten.view %[[INTS]]
//       CHECK: %[[STOPPED:.*]] = aten.detach %[[X]]
//       CHECK: aten.view %[[STOPPED]]
//       CHECK: %[[APART:.*]] = aten.as_strided %[[X]]
//       CHECK: aten.view %[[APART]]
//       CHECK: aten.view %[[X]]
//   CHECK-NOT: aten.unsqueeze
//       CHECK: %[[LATER:.*]] = aten.as_strided %[[X]]
//       CHECK: aten.view %[[LATER]]
//       CHECK: %[[COPY:.*]] = aten.to.dtype %[[X]]
//       CHECK: aten.view %[[COPY]]
//       CHECK: return %{{.*}}, %[[X]] :
func.func @views(%x: !jit.tensor<[4,6],f32>)
    -> (!jit.tensor<[12],f32>, !jit.tensor<[24],i32>, !jit.tensor<[24],f32>, !jit.tensor<[24],f32>, !jit.tensor<[24],f32>, !jit.tensor<[24],f32>, !jit.tensor<[24],f32>, !jit.tensor<[4,6],f32>) {
  %false = arith.constant false
  %none = jit.constant !jit.none = unit
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %2 = arith.constant 2 : i64
  %3 = arith.constant 3 : i64
  %4 = arith.constant 4 : i64
  %6 = arith.constant 6 : i64
  %12 = arith.constant 12 : i64
  %24 = arith.constant 24 : i64
  %flat = jit.list %24 : (i64) -> !jit.list<i64>
  %half = jit.list %12 : (i64) -> !jit.list<i64>
  %sizes = jit.list %4, %6 : (i64, i64) -> !jit.list<i64>
  %steps = jit.list %1, %4 : (i64, i64) -> !jit.list<i64>
  %part = aten.slice.Tensor %x, %0, %0, %2, %1 : (!jit.tensor<[4,6],f32>, i64, i64, i64, i64) -> !jit.tensor<[2,6],f32>
  %a = aten.view %part, %half : (!jit.tensor<[2,6],f32>, !jit.list<i64>) -> !jit.tensor<[12],f32>
  %ints = aten.to.dtype %x, %3, %false, %false, %none : (!jit.tensor<[4,6],f32>, i64, i1, i1, !jit.none) -> !jit.tensor<[4,6],i32>
  %b = aten.view %ints, %flat : (!jit.tensor<[4,6],i32>, !jit.list<i64>) -> !jit.tensor<[24],i32>
  %stopped = aten.detach %x : (!jit.tensor<[4,6],f32>) -> !jit.tensor<[4,6],f32>
  %c = aten.view %stopped, %flat : (!jit.tensor<[4,6],f32>, !jit.list<i64>) -> !jit.tensor<[24],f32>
  %apart = aten.as_strided %x, %sizes, %steps, %0 : (!jit.tensor<[4,6],f32>, !jit.list<i64>, !jit.list<i64>, i64) -> !jit.tensor<[4,6],f32>
  %d = aten.view %apart, %flat : (!jit.tensor<[4,6],f32>, !jit.list<i64>) -> !jit.tensor<[24],f32>
  %more = aten.unsqueeze %x, %0 : (!jit.tensor<[4,6],f32>, i64) -> !jit.tensor<[1,4,6],f32>
  %e = aten.view %more, %flat : (!jit.tensor<[1,4,6],f32>, !jit.list<i64>) -> !jit.tensor<[24],f32>
  %rows = jit.list %6, %1 : (i64, i64) -> !jit.list<i64>
  %later = aten.as_strided %x, %sizes, %rows, %1 : (!jit.tensor<[4,6],f32>, !jit.list<i64>, !jit.list<i64>, i64) -> !jit.tensor<[4,6],f32>
  %f = aten.view %later, %flat : (!jit.tensor<[4,6],f32>, !jit.list<i64>) -> !jit.tensor<[24],f32>
  %true = arith.constant true
  %copy = aten.to.dtype %x, %6, %false, %true, %none : (!jit.tensor<[4,6],f32>, i64, i1, i1, !jit.none) -> !jit.tensor<[4,6],f32>
  %g = aten.view %copy, %flat : (!jit.tensor<[4,6],f32>, !jit.list<i64>) -> !jit.tensor<[24],f32>
  %own = aten.view %x, %sizes : (!jit.tensor<[4,6],f32>, !jit.list<i64>) -> !jit.tensor<[4,6],f32>
  return %a, %b, %c, %d, %e, %f, %g, %own : !jit.tensor<[12],f32>, !jit.tensor<[24],i32>, !jit.tensor<[24],f32>, !jit.tensor<[24],f32>, !jit.tensor<[24],f32>, !jit.tensor<[24],f32>, !jit.tensor<[24],f32>, !jit.tensor<[4,6],f32>
}

// -----

// One number is another one in another type. Of a row that is expanded it is.

// CHECK-LABEL: func.func @numbers
//       CHECK: %[[NUMBER:.*]] = arith.constant 5.000000e-01 : f64
//       CHECK: aten.to.dtype
//       CHECK: aten.full %{{.*}}, %[[NUMBER]], {{.*}} -> !jit.tensor<[4,6],f32>
//       CHECK: return
func.func @numbers() -> (!jit.tensor<[6],i32>, !jit.tensor<[4,6],f32>) {
  %3 = arith.constant 3 : i64
  %4 = arith.constant 4 : i64
  %6 = arith.constant 6 : i64
  %false = arith.constant false
  %none = jit.constant !jit.none = unit
  %number = arith.constant 0.5 : f64
  %row = jit.list %6 : (i64) -> !jit.list<i64>
  %halves = aten.full %row, %number, %6, %none, %none, %none : (!jit.list<i64>, f64, i64, !jit.none, !jit.none, !jit.none) -> !jit.tensor<[6],f32>
  %a = aten.to.dtype %halves, %3, %false, %false, %none : (!jit.tensor<[6],f32>, i64, i1, i1, !jit.none) -> !jit.tensor<[6],i32>
  %sizes = jit.list %4, %6 : (i64, i64) -> !jit.list<i64>
  %b = aten.expand %halves, %sizes, %false : (!jit.tensor<[6],f32>, !jit.list<i64>, i1) -> !jit.tensor<[4,6],f32>
  return %a, %b : !jit.tensor<[6],i32>, !jit.tensor<[4,6],f32>
}
