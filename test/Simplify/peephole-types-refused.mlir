// RUN: jit-opt %s --split-input-file --jit-peephole | FileCheck %s

// A factor of 1 stays where nothing, or not all sizes, is known of the tensor, and where it is one of complex numbers.

// CHECK-LABEL: func.func @factors
// CHECK-COUNT-3: aten.mul.Scalar
//       CHECK: return
func.func @factors(%x: !jit.tensor, %y: !jit.tensor<[?],f32>, %z: !jit.tensor<[4],complex<f32>>)
    -> (!jit.tensor, !jit.tensor<[?],f32>, !jit.tensor<[4],complex<f32>>) {
  %one = arith.constant 1 : i64
  %0 = aten.mul.Scalar %x, %one : (!jit.tensor, i64) -> !jit.tensor
  %1 = aten.mul.Scalar %y, %one : (!jit.tensor<[?],f32>, i64) -> !jit.tensor<[?],f32>
  %2 = aten.mul.Scalar %z, %one : (!jit.tensor<[4],complex<f32>>, i64) -> !jit.tensor<[4],complex<f32>>
  return %0, %1, %2 : !jit.tensor, !jit.tensor<[?],f32>, !jit.tensor<[4],complex<f32>>
}

// -----

// What is read or written of tensors of open sizes, and conversions of these.

// CHECK-LABEL: func.func @open
// CHECK-COUNT-2: aten.to.dtype
//       CHECK: aten.select.int
//   CHECK-NOT: jit.poison
//       CHECK: aten.slice_scatter
//       CHECK: aten.expand
// CHECK-COUNT-3: aten.view
//       CHECK: aten.mul.Tensor
//       CHECK: return
func.func @open(%x2: !jit.tensor<[4,6],f32>, %list: !jit.list<i64>, %h: !jit.tensor<[?],f16>, %x: !jit.tensor<[4,?],f32>, %row: !jit.tensor<[?],f32>, %half: !jit.tensor<[2,?],f32>, %k: i64)
    -> (!jit.tensor<[?],f16>, !jit.tensor<[?],f32>, !jit.tensor<[4,?],f32>, !jit.tensor<[4,?],f32>, !jit.tensor<[?],f32>, !jit.tensor<[24],f32>, !jit.tensor<[?],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %minus = arith.constant -1 : i64
  %4 = arith.constant 4 : i64
  %float16 = arith.constant 5 : i64
  %single = arith.constant 6 : i64
  %false = arith.constant false
  %none = jit.constant !jit.none = unit
  %wide = aten.to.dtype %h, %single, %false, %false, %none : (!jit.tensor<[?],f16>, i64, i1, i1, !jit.none) -> !jit.tensor<[?],f32>
  %back = aten.to.dtype %wide, %float16, %false, %false, %none : (!jit.tensor<[?],f32>, i64, i1, i1, !jit.none) -> !jit.tensor<[?],f16>
  %a = aten.select_scatter %x, %row, %0, %k : (!jit.tensor<[4,?],f32>, !jit.tensor<[?],f32>, i64, i64) -> !jit.tensor<[4,?],f32>
  %read = aten.select.int %a, %0, %k : (!jit.tensor<[4,?],f32>, i64, i64) -> !jit.tensor<[?],f32>
  %b = aten.slice_scatter %x, %x, %0, %0, %4, %1 : (!jit.tensor<[4,?],f32>, !jit.tensor<[4,?],f32>, i64, i64, i64, i64) -> !jit.tensor<[4,?],f32>
  %same = jit.list %minus, %minus : (i64, i64) -> !jit.list<i64>
  %c = aten.expand %x, %same, %false : (!jit.tensor<[4,?],f32>, !jit.list<i64>, i1) -> !jit.tensor<[4,?],f32>
  %flat = jit.list %minus : (i64) -> !jit.list<i64>
  %d = aten.view %row, %flat : (!jit.tensor<[?],f32>, !jit.list<i64>) -> !jit.tensor<[?],f32>
  %e = aten.view %d, %flat : (!jit.tensor<[?],f32>, !jit.list<i64>) -> !jit.tensor<[?],f32>
  %f = aten.view %x2, %list : (!jit.tensor<[4,6],f32>, !jit.list<i64>) -> !jit.tensor<*,f32>
  %24 = arith.constant 24 : i64
  %all = jit.list %24 : (i64) -> !jit.list<i64>
  %g = aten.view %f, %all : (!jit.tensor<*,f32>, !jit.list<i64>) -> !jit.tensor<[24],f32>
  %ones = aten.ones_like %row, %none, %none, %none, %none, %none : (!jit.tensor<[?],f32>, !jit.none, !jit.none, !jit.none, !jit.none, !jit.none) -> !jit.tensor<[?],f32>
  %m = aten.mul.Tensor %row, %ones : (!jit.tensor<[?],f32>, !jit.tensor<[?],f32>) -> !jit.tensor<[?],f32>
  return %back, %read, %b, %c, %e, %g, %m : !jit.tensor<[?],f16>, !jit.tensor<[?],f32>, !jit.tensor<[4,?],f32>, !jit.tensor<[4,?],f32>, !jit.tensor<[?],f32>, !jit.tensor<[24],f32>, !jit.tensor<[?],f32>
}

// -----

// A conversion to a type that is not known, such as one of eight bits, and back.

// CHECK-LABEL: func.func @unknown
// CHECK-COUNT-2: aten.to.dtype
//       CHECK: return
func.func @unknown(%x: !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32> {
  %float8 = arith.constant 24 : i64
  %single = arith.constant 6 : i64
  %false = arith.constant false
  %none = jit.constant !jit.none = unit
  %0 = aten.to.dtype %x, %float8, %false, %false, %none : (!jit.tensor<[4],f32>, i64, i1, i1, !jit.none) -> !jit.tensor<[4],?>
  %1 = aten.to.dtype %0, %single, %false, %false, %none : (!jit.tensor<[4],?>, i64, i1, i1, !jit.none) -> !jit.tensor<[4],f32>
  return %1 : !jit.tensor<[4],f32>
}
