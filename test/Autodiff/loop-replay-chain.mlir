// RUN: jit-opt %s --jit-differentiate | FileCheck %s

// What a trip of a loop of unknown length computes is run again once, however many ways lead to it.

// CHECK-LABEL: func.func @forward
// CHECK: scf.for
// CHECK: scf.for
// CHECK: aten.cos
// CHECK: return
func.func @forward(%x: !jit.tensor<[4],f32> {jit.requires_grad}, %n: i64) -> !jit.tensor<[4],f32> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r = scf.for %i = %zero to %n step %one iter_args(%a = %x) -> (!jit.tensor<[4],f32>) : i64 {
    %a0 = aten.mul.Tensor %a, %a : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    %a1 = aten.mul.Tensor %a0, %a0 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    %a2 = aten.mul.Tensor %a1, %a1 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    %a3 = aten.mul.Tensor %a2, %a2 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    %a4 = aten.mul.Tensor %a3, %a3 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    %a5 = aten.mul.Tensor %a4, %a4 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    %a6 = aten.mul.Tensor %a5, %a5 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    %a7 = aten.mul.Tensor %a6, %a6 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    %a8 = aten.mul.Tensor %a7, %a7 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    %a9 = aten.mul.Tensor %a8, %a8 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    %a10 = aten.mul.Tensor %a9, %a9 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    %a11 = aten.mul.Tensor %a10, %a10 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    %a12 = aten.mul.Tensor %a11, %a11 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    %a13 = aten.mul.Tensor %a12, %a12 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    %a14 = aten.mul.Tensor %a13, %a13 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    %a15 = aten.mul.Tensor %a14, %a14 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    %a16 = aten.mul.Tensor %a15, %a15 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    %a17 = aten.mul.Tensor %a16, %a16 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    %a18 = aten.mul.Tensor %a17, %a17 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    %a19 = aten.mul.Tensor %a18, %a18 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    %a20 = aten.mul.Tensor %a19, %a19 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    %a21 = aten.mul.Tensor %a20, %a20 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    %a22 = aten.mul.Tensor %a21, %a21 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    %a23 = aten.mul.Tensor %a22, %a22 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    %a24 = aten.mul.Tensor %a23, %a23 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    %a25 = aten.mul.Tensor %a24, %a24 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    %a26 = aten.mul.Tensor %a25, %a25 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    %a27 = aten.mul.Tensor %a26, %a26 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    %a28 = aten.mul.Tensor %a27, %a27 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    %a29 = aten.mul.Tensor %a28, %a28 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    %a30 = aten.mul.Tensor %a29, %a29 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    %a31 = aten.mul.Tensor %a30, %a30 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    %a32 = aten.mul.Tensor %a31, %a31 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    %a33 = aten.mul.Tensor %a32, %a32 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    %a34 = aten.mul.Tensor %a33, %a33 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    %a35 = aten.mul.Tensor %a34, %a34 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    %a36 = aten.mul.Tensor %a35, %a35 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    %a37 = aten.mul.Tensor %a36, %a36 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    %a38 = aten.mul.Tensor %a37, %a37 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    %a39 = aten.mul.Tensor %a38, %a38 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    %s = aten.sin %a39 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    scf.yield %s : !jit.tensor<[4],f32>
  }
  return %r : !jit.tensor<[4],f32>
}
