// A complex number is taken for a real one where it has no imaginary part, else the call raises; as a condition it is whether it is not 0.
// RUN: jit-opt %s --jit-fold-known | FileCheck %s

!z = !jit.tensor<[],complex<f32>>

// CHECK-LABEL: func.func @float(
//       CHECK:   aten.imag
//       CHECK:   jit.guard %{{.*}}, "builtins.RuntimeError"
//       CHECK:   aten.real
//       CHECK:   aten.item {{.*}} -> f64
func.func @float(%z: !z) -> f64 {
  %r = aten.Float.Tensor %z : (!z) -> f64
  return %r : f64
}

// CHECK-LABEL: func.func @bool(
//   CHECK-NOT:   jit.guard
//       CHECK:   aten.ne.Scalar
//   CHECK-NOT:   jit.guard
//       CHECK:   return
func.func @bool(%z: !z) -> i1 {
  %r = aten.Bool.Tensor %z : (!z) -> i1
  return %r : i1
}
