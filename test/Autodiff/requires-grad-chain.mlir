// RUN: jit-opt %s --jit-expand-gradients | FileCheck %s

// Each value is looked at once: a chain of forty squares would take as many steps as there are ways through it else.

!t = !jit.tensor<[2],f32>
// CHECK-LABEL: func.func @forward
// CHECK: return %{{true.*}}
func.func @forward(%y: !t {jit.requires_grad}) -> i1 {
  %a0 = aten.mul.Tensor %y, %y : (!t, !t) -> !t
  %a1 = aten.mul.Tensor %a0, %a0 : (!t, !t) -> !t
  %a2 = aten.mul.Tensor %a1, %a1 : (!t, !t) -> !t
  %a3 = aten.mul.Tensor %a2, %a2 : (!t, !t) -> !t
  %a4 = aten.mul.Tensor %a3, %a3 : (!t, !t) -> !t
  %a5 = aten.mul.Tensor %a4, %a4 : (!t, !t) -> !t
  %a6 = aten.mul.Tensor %a5, %a5 : (!t, !t) -> !t
  %a7 = aten.mul.Tensor %a6, %a6 : (!t, !t) -> !t
  %a8 = aten.mul.Tensor %a7, %a7 : (!t, !t) -> !t
  %a9 = aten.mul.Tensor %a8, %a8 : (!t, !t) -> !t
  %a10 = aten.mul.Tensor %a9, %a9 : (!t, !t) -> !t
  %a11 = aten.mul.Tensor %a10, %a10 : (!t, !t) -> !t
  %a12 = aten.mul.Tensor %a11, %a11 : (!t, !t) -> !t
  %a13 = aten.mul.Tensor %a12, %a12 : (!t, !t) -> !t
  %a14 = aten.mul.Tensor %a13, %a13 : (!t, !t) -> !t
  %a15 = aten.mul.Tensor %a14, %a14 : (!t, !t) -> !t
  %a16 = aten.mul.Tensor %a15, %a15 : (!t, !t) -> !t
  %a17 = aten.mul.Tensor %a16, %a16 : (!t, !t) -> !t
  %a18 = aten.mul.Tensor %a17, %a17 : (!t, !t) -> !t
  %a19 = aten.mul.Tensor %a18, %a18 : (!t, !t) -> !t
  %a20 = aten.mul.Tensor %a19, %a19 : (!t, !t) -> !t
  %a21 = aten.mul.Tensor %a20, %a20 : (!t, !t) -> !t
  %a22 = aten.mul.Tensor %a21, %a21 : (!t, !t) -> !t
  %a23 = aten.mul.Tensor %a22, %a22 : (!t, !t) -> !t
  %a24 = aten.mul.Tensor %a23, %a23 : (!t, !t) -> !t
  %a25 = aten.mul.Tensor %a24, %a24 : (!t, !t) -> !t
  %a26 = aten.mul.Tensor %a25, %a25 : (!t, !t) -> !t
  %a27 = aten.mul.Tensor %a26, %a26 : (!t, !t) -> !t
  %a28 = aten.mul.Tensor %a27, %a27 : (!t, !t) -> !t
  %a29 = aten.mul.Tensor %a28, %a28 : (!t, !t) -> !t
  %a30 = aten.mul.Tensor %a29, %a29 : (!t, !t) -> !t
  %a31 = aten.mul.Tensor %a30, %a30 : (!t, !t) -> !t
  %a32 = aten.mul.Tensor %a31, %a31 : (!t, !t) -> !t
  %a33 = aten.mul.Tensor %a32, %a32 : (!t, !t) -> !t
  %a34 = aten.mul.Tensor %a33, %a33 : (!t, !t) -> !t
  %a35 = aten.mul.Tensor %a34, %a34 : (!t, !t) -> !t
  %a36 = aten.mul.Tensor %a35, %a35 : (!t, !t) -> !t
  %a37 = aten.mul.Tensor %a36, %a36 : (!t, !t) -> !t
  %a38 = aten.mul.Tensor %a37, %a37 : (!t, !t) -> !t
  %a39 = aten.mul.Tensor %a38, %a38 : (!t, !t) -> !t
  %r = aten.requires_grad %a39 : (!t) -> i1
  return %r : i1
}
