// RUN: jit-opt %s --split-input-file --jit-guard-division | FileCheck %s

// CHECK-LABEL: func.func @tensors
// CHECK: %[[Q:.*]] = aten.floor_divide %arg0, %arg1
// CHECK: %[[NOT:.*]] = aten.ne.Scalar %arg1
// CHECK: %[[ALL:.*]] = aten.all %[[NOT]]
// CHECK: %[[FINE:.*]] = aten.item %[[ALL]]
// CHECK: jit.guard %[[FINE]], "builtins.RuntimeError", "ZeroDivisionError"
// CHECK: return %[[Q]]
func.func @tensors(%a: !jit.tensor<[4],i64>, %b: !jit.tensor<[4],i64>) -> !jit.tensor<[4],i64> {
  %0 = aten.floor_divide %a, %b : (!jit.tensor<[4],i64>, !jit.tensor<[4],i64>) -> !jit.tensor<[4],i64>
  return %0 : !jit.tensor<[4],i64>
}

// -----

// CHECK-LABEL: func.func @number
// CHECK: aten.remainder.Scalar
// CHECK: %[[FINE:.*]] = arith.cmpi ne, %arg1
// CHECK: jit.guard %[[FINE]]
func.func @number(%a: !jit.tensor<[4],i64>, %b: i64) -> !jit.tensor<[4],i64> {
  %0 = aten.remainder.Scalar %a, %b : (!jit.tensor<[4],i64>, i64) -> !jit.tensor<[4],i64>
  return %0 : !jit.tensor<[4],i64>
}

// -----

/// Nothing may be divided there.

// CHECK-LABEL: func.func @open
// CHECK: %[[COUNT:.*]] = aten.numel
// CHECK: %[[EMPTY:.*]] = arith.cmpi eq, %[[COUNT]]
// CHECK: %[[FINE:.*]] = arith.ori %{{.*}}, %[[EMPTY]]
// CHECK: jit.guard %[[FINE]]
func.func @open(%a: !jit.tensor<[?],i64>, %b: !jit.tensor<[?],i64>) -> !jit.tensor<[?],i64> {
  %0 = aten.fmod.Tensor %a, %b : (!jit.tensor<[?],i64>, !jit.tensor<[?],i64>) -> !jit.tensor<[?],i64>
  return %0 : !jit.tensor<[?],i64>
}

// -----

// CHECK-LABEL: func.func @without
// CHECK-NOT: jit.guard
func.func @without(%a: !jit.tensor<[4],i64>, %x: !jit.tensor<[4],f32>, %none: !jit.tensor<[0],i64>)
    -> (!jit.tensor<[4],i64>, !jit.tensor<[4],f32>, !jit.tensor<[0],i64>) {
  %two = arith.constant 2 : i64
  %0 = aten.remainder.Scalar %a, %two : (!jit.tensor<[4],i64>, i64) -> !jit.tensor<[4],i64>
  %1 = aten.remainder.Tensor %x, %x : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %2 = aten.floor_divide %none, %none : (!jit.tensor<[0],i64>, !jit.tensor<[0],i64>) -> !jit.tensor<[0],i64>
  return %0, %1, %2 : !jit.tensor<[4],i64>, !jit.tensor<[4],f32>, !jit.tensor<[0],i64>
}
