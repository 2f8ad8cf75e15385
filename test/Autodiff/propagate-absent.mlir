// RUN: jit-opt %s --split-input-file --jit-propagate-absent --verify-diagnostics | FileCheck %s

// A product with a gradient that is not there is not there; a sum with it is the other addend.
// CHECK-LABEL: func.func @chain
//  CHECK-SAME: (%[[X:[a-z0-9]+]]: !jit.tensor<[4],f32>, %[[G:[a-z0-9]+]]:
//  CHECK-NEXT: return %[[G]]
func.func @chain(%x: !jit.tensor<[4],f32>, %g: !jit.tensor<[4],f32>, %one: i64) -> !jit.tensor<[4],f32> {
  %c1 = arith.constant 1 : i64
  %u = jit.absent : !jit.tensor<[4],f32>
  %0 = aten.mul.Tensor %u, %x : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %1 = aten.neg %0 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %2 = aten.add.Tensor %1, %g, %c1 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>, i64) -> !jit.tensor<[4],f32>
  return %2 : !jit.tensor<[4],f32>
}

// -----

// What the function returns is there.
// CHECK-LABEL: func.func @returned
//       CHECK: %[[ZEROS:.*]] = aten.zeros
//       CHECK: return %[[ZEROS]]
func.func @returned() -> !jit.tensor<[4],f32> {
  %u = jit.absent : !jit.tensor<[4],f32>
  return %u : !jit.tensor<[4],f32>
}

// -----

// An operator that is not linear needs the zeros.
// CHECK-LABEL: func.func @exp
//       CHECK: %[[ZEROS:.*]] = aten.zeros
//       CHECK: aten.exp %[[ZEROS]]
func.func @exp() -> !jit.tensor<[4],f32> {
  %u = jit.absent : !jit.tensor<[4],f32>
  %0 = aten.exp %u : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  return %0 : !jit.tensor<[4],f32>
}

// -----

func.func @unknown() -> !jit.tensor<[?],f32> {
  // expected-error@+1 {{expected an absent tensor of known sizes where zeros are needed, got '!jit.tensor<[?],f32>'}}
  %u = jit.absent : !jit.tensor<[?],f32>
  return %u : !jit.tensor<[?],f32>
}
