// RUN: jit-opt %s --split-input-file --jit-partition-gradients | FileCheck %s

// Of a chain of squares the smaller value that it begins with is kept, and each operator runs again once.

// CHECK-LABEL: func.func @forward.backward
//       CHECK: aten.to.dtype
// CHECK-COUNT-41: aten.mul.Tensor
//   CHECK-NOT: aten.mul.Tensor
//       CHECK: return
func.func @forward(%x: !jit.tensor<[4],f32> {jit.requires_grad}, %seed: !jit.tensor<[4],f64> {jit.grad_of = 0 : i64}) -> (!jit.tensor<[4],f64>, !jit.tensor<[4],f64>)
    attributes {jit.outputs = [{value = 0 : i64}, {grad = array<i64: 0>, value = 1 : i64}]} {
  %double = arith.constant 7 : i64
  %false = arith.constant false
  %none = jit.constant !jit.none = unit
  %d = aten.to.dtype %x, %double, %false, %false, %none : (!jit.tensor<[4],f32>, i64, i1, i1, !jit.none) -> !jit.tensor<[4],f64>
  %a0 = aten.mul.Tensor %d, %d : (!jit.tensor<[4],f64>, !jit.tensor<[4],f64>) -> !jit.tensor<[4],f64>
  %a1 = aten.mul.Tensor %a0, %a0 : (!jit.tensor<[4],f64>, !jit.tensor<[4],f64>) -> !jit.tensor<[4],f64>
  %a2 = aten.mul.Tensor %a1, %a1 : (!jit.tensor<[4],f64>, !jit.tensor<[4],f64>) -> !jit.tensor<[4],f64>
  %a3 = aten.mul.Tensor %a2, %a2 : (!jit.tensor<[4],f64>, !jit.tensor<[4],f64>) -> !jit.tensor<[4],f64>
  %a4 = aten.mul.Tensor %a3, %a3 : (!jit.tensor<[4],f64>, !jit.tensor<[4],f64>) -> !jit.tensor<[4],f64>
  %a5 = aten.mul.Tensor %a4, %a4 : (!jit.tensor<[4],f64>, !jit.tensor<[4],f64>) -> !jit.tensor<[4],f64>
  %a6 = aten.mul.Tensor %a5, %a5 : (!jit.tensor<[4],f64>, !jit.tensor<[4],f64>) -> !jit.tensor<[4],f64>
  %a7 = aten.mul.Tensor %a6, %a6 : (!jit.tensor<[4],f64>, !jit.tensor<[4],f64>) -> !jit.tensor<[4],f64>
  %a8 = aten.mul.Tensor %a7, %a7 : (!jit.tensor<[4],f64>, !jit.tensor<[4],f64>) -> !jit.tensor<[4],f64>
  %a9 = aten.mul.Tensor %a8, %a8 : (!jit.tensor<[4],f64>, !jit.tensor<[4],f64>) -> !jit.tensor<[4],f64>
  %a10 = aten.mul.Tensor %a9, %a9 : (!jit.tensor<[4],f64>, !jit.tensor<[4],f64>) -> !jit.tensor<[4],f64>
  %a11 = aten.mul.Tensor %a10, %a10 : (!jit.tensor<[4],f64>, !jit.tensor<[4],f64>) -> !jit.tensor<[4],f64>
  %a12 = aten.mul.Tensor %a11, %a11 : (!jit.tensor<[4],f64>, !jit.tensor<[4],f64>) -> !jit.tensor<[4],f64>
  %a13 = aten.mul.Tensor %a12, %a12 : (!jit.tensor<[4],f64>, !jit.tensor<[4],f64>) -> !jit.tensor<[4],f64>
  %a14 = aten.mul.Tensor %a13, %a13 : (!jit.tensor<[4],f64>, !jit.tensor<[4],f64>) -> !jit.tensor<[4],f64>
  %a15 = aten.mul.Tensor %a14, %a14 : (!jit.tensor<[4],f64>, !jit.tensor<[4],f64>) -> !jit.tensor<[4],f64>
  %a16 = aten.mul.Tensor %a15, %a15 : (!jit.tensor<[4],f64>, !jit.tensor<[4],f64>) -> !jit.tensor<[4],f64>
  %a17 = aten.mul.Tensor %a16, %a16 : (!jit.tensor<[4],f64>, !jit.tensor<[4],f64>) -> !jit.tensor<[4],f64>
  %a18 = aten.mul.Tensor %a17, %a17 : (!jit.tensor<[4],f64>, !jit.tensor<[4],f64>) -> !jit.tensor<[4],f64>
  %a19 = aten.mul.Tensor %a18, %a18 : (!jit.tensor<[4],f64>, !jit.tensor<[4],f64>) -> !jit.tensor<[4],f64>
  %a20 = aten.mul.Tensor %a19, %a19 : (!jit.tensor<[4],f64>, !jit.tensor<[4],f64>) -> !jit.tensor<[4],f64>
  %a21 = aten.mul.Tensor %a20, %a20 : (!jit.tensor<[4],f64>, !jit.tensor<[4],f64>) -> !jit.tensor<[4],f64>
  %a22 = aten.mul.Tensor %a21, %a21 : (!jit.tensor<[4],f64>, !jit.tensor<[4],f64>) -> !jit.tensor<[4],f64>
  %a23 = aten.mul.Tensor %a22, %a22 : (!jit.tensor<[4],f64>, !jit.tensor<[4],f64>) -> !jit.tensor<[4],f64>
  %a24 = aten.mul.Tensor %a23, %a23 : (!jit.tensor<[4],f64>, !jit.tensor<[4],f64>) -> !jit.tensor<[4],f64>
  %a25 = aten.mul.Tensor %a24, %a24 : (!jit.tensor<[4],f64>, !jit.tensor<[4],f64>) -> !jit.tensor<[4],f64>
  %a26 = aten.mul.Tensor %a25, %a25 : (!jit.tensor<[4],f64>, !jit.tensor<[4],f64>) -> !jit.tensor<[4],f64>
  %a27 = aten.mul.Tensor %a26, %a26 : (!jit.tensor<[4],f64>, !jit.tensor<[4],f64>) -> !jit.tensor<[4],f64>
  %a28 = aten.mul.Tensor %a27, %a27 : (!jit.tensor<[4],f64>, !jit.tensor<[4],f64>) -> !jit.tensor<[4],f64>
  %a29 = aten.mul.Tensor %a28, %a28 : (!jit.tensor<[4],f64>, !jit.tensor<[4],f64>) -> !jit.tensor<[4],f64>
  %a30 = aten.mul.Tensor %a29, %a29 : (!jit.tensor<[4],f64>, !jit.tensor<[4],f64>) -> !jit.tensor<[4],f64>
  %a31 = aten.mul.Tensor %a30, %a30 : (!jit.tensor<[4],f64>, !jit.tensor<[4],f64>) -> !jit.tensor<[4],f64>
  %a32 = aten.mul.Tensor %a31, %a31 : (!jit.tensor<[4],f64>, !jit.tensor<[4],f64>) -> !jit.tensor<[4],f64>
  %a33 = aten.mul.Tensor %a32, %a32 : (!jit.tensor<[4],f64>, !jit.tensor<[4],f64>) -> !jit.tensor<[4],f64>
  %a34 = aten.mul.Tensor %a33, %a33 : (!jit.tensor<[4],f64>, !jit.tensor<[4],f64>) -> !jit.tensor<[4],f64>
  %a35 = aten.mul.Tensor %a34, %a34 : (!jit.tensor<[4],f64>, !jit.tensor<[4],f64>) -> !jit.tensor<[4],f64>
  %a36 = aten.mul.Tensor %a35, %a35 : (!jit.tensor<[4],f64>, !jit.tensor<[4],f64>) -> !jit.tensor<[4],f64>
  %a37 = aten.mul.Tensor %a36, %a36 : (!jit.tensor<[4],f64>, !jit.tensor<[4],f64>) -> !jit.tensor<[4],f64>
  %a38 = aten.mul.Tensor %a37, %a37 : (!jit.tensor<[4],f64>, !jit.tensor<[4],f64>) -> !jit.tensor<[4],f64>
  %a39 = aten.mul.Tensor %a38, %a38 : (!jit.tensor<[4],f64>, !jit.tensor<[4],f64>) -> !jit.tensor<[4],f64>
  %r = aten.mul.Tensor %seed, %a39 : (!jit.tensor<[4],f64>, !jit.tensor<[4],f64>) -> !jit.tensor<[4],f64>
  return %a39, %r : !jit.tensor<[4],f64>, !jit.tensor<[4],f64>
}
