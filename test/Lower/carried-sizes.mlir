// RUN: jit-opt %s --jit-lower | FileCheck %s

// A tensor that a loop carries has one buffer: the call ends where its open size changes.
// CHECK-LABEL: func.func @grows
//       CHECK: scf.for
//       CHECK: jit.guard %{{.*}}, "jit.UnequalSizes", "expected a loop to carry a tensor of one size, got {}, then {}"
//       CHECK: scf.yield
func.func @grows(%x: !jit.tensor<[?],f32>, %y: !jit.tensor<[?],f32>, %n: i64) -> !jit.tensor<[?],f32> attributes {jit.symbolic} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (!jit.tensor<[?],f32>, !jit.tensor<[?],f32>) : i64 {
    %c = aten.neg %a : (!jit.tensor<[?],f32>) -> !jit.tensor<[?],f32>
    scf.yield %b, %c : !jit.tensor<[?],f32>, !jit.tensor<[?],f32>
  }
  return %r#0 : !jit.tensor<[?],f32>
}
