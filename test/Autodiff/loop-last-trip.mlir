// RUN: jit-opt %s --jit-differentiate=seed=arguments | FileCheck %s

// What each trip replaces has a gradient in the last one alone, which is the first one backwards: in the others nothing is added for it, for a rule would
// make NaN of zeros where a derivative is infinite.
// CHECK-LABEL: func.func @forward
// CHECK: scf.for
// CHECK: scf.for %[[I:[^ ]*]] = %[[FIRST:[^ ]*]] to
// CHECK: %[[IS_FIRST:.*]] = arith.cmpi eq, %[[I]], %[[FIRST]]
// CHECK: scf.if %[[IS_FIRST]]
func.func @forward(%x: !jit.tensor<[4],f32> {jit.requires_grad}, %n: i64) -> !jit.tensor<[4],f32> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %0 = scf.for %i = %zero to %n step %one iter_args(%t = %x) -> (!jit.tensor<[4],f32>) : i64 {
    %s = aten.mul.Scalar %x, %i : (!jit.tensor<[4],f32>, i64) -> !jit.tensor<[4],f32>
    %r = aten.sqrt %s : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    scf.yield %r : !jit.tensor<[4],f32>
  }
  return %0 : !jit.tensor<[4],f32>
}
