// RUN: jit-opt %s --jit-lower --canonicalize | FileCheck %s

// What is equal to a bound stays: a negative zero keeps its sign, as in PyTorch.
// CHECK-LABEL: func.func @relu(
// CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK: ^bb0(%[[X:.*]]: f32,
// CHECK: %[[LOW:.*]] = arith.cmpf olt, %[[X]], %[[ZERO]] : f32
// CHECK: %[[R:.*]] = arith.select %[[LOW]], %[[ZERO]], %[[X]] : f32
// CHECK: linalg.yield %[[R]]
func.func @relu(%x: !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32> {
  %r = aten.relu %x : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  return %r : !jit.tensor<[4],f32>
}

// A bound that may be NaN gives NaN.
// CHECK-LABEL: func.func @bound(
// CHECK: ^bb0(%[[X:.*]]: f32, %[[MIN:.*]]: f32,
// CHECK: %[[LOW:.*]] = arith.cmpf olt, %[[X]], %[[MIN]] : f32
// CHECK: %[[NAN:.*]] = arith.cmpf une, %[[MIN]], %[[MIN]] : f32
// CHECK: %[[EITHER:.*]] = arith.ori %[[LOW]], %[[NAN]] : i1
// CHECK: arith.select %[[EITHER]], %[[MIN]], %[[X]] : f32
func.func @bound(%x: !jit.tensor<[4],f32>, %min: !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32> {
  %r = aten.clamp_min.Tensor %x, %min : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  return %r : !jit.tensor<[4],f32>
}

// CHECK-LABEL: func.func @ints(
// CHECK: arith.maxsi
func.func @ints(%x: !jit.tensor<[4],i64>) -> !jit.tensor<[4],i64> {
  %zero = arith.constant 0 : i64
  %r = aten.clamp_min %x, %zero : (!jit.tensor<[4],i64>, i64) -> !jit.tensor<[4],i64>
  return %r : !jit.tensor<[4],i64>
}
