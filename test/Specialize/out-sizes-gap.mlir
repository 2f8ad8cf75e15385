// RUN: jit-opt %s --jit-specialize="args=f32[3]" --canonicalize --split-input-file | FileCheck %s

// An empty slice may begin behind the memory's end. No elements are no more than there is room for: no memory grows.
// CHECK-LABEL: func.func @forward
// CHECK: %[[T:.*]] = aten.clone
// CHECK-NOT: aten.cat
// CHECK: return %[[T]] :
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %none = jit.constant !jit.none = unit
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %t = aten.clone %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %row = aten.slice.Tensor %t, %zero, %one, %none, %three : (!jit.tensor, i64, i64, !jit.none, i64) -> !jit.tensor
  %rest = aten.slice.Tensor %row, %zero, %two, %none, %one : (!jit.tensor, i64, i64, !jit.none, i64) -> !jit.tensor
  %e = aten.exp %rest : (!jit.tensor) -> !jit.tensor
  %w = jit.overwrite %rest, %e {jit.out} : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %t : !jit.tensor
}

// -----

// Some are behind the gap, in a larger memory.
// CHECK-LABEL: func.func @forward
// CHECK: %[[T:.*]] = aten.clone
// CHECK-DAG: %[[GAP:.*]] = aten.new_empty {{.*}} -> !jit.tensor<[1],f32>
// CHECK-DAG: %[[KEPT:.*]] = aten.as_strided %[[T]], {{.*}} -> !jit.tensor<[3],f32>
// CHECK: jit.list %[[KEPT]], %[[GAP]], %{{.*}}
// CHECK: aten.cat {{.*}} -> !jit.tensor<[7],f32>
func.func @forward(%x: !jit.tensor) -> (!jit.tensor, !jit.tensor) {
  %none = jit.constant !jit.none = unit
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %t = aten.clone %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %row = aten.slice.Tensor %t, %zero, %one, %none, %three : (!jit.tensor, i64, i64, !jit.none, i64) -> !jit.tensor
  %rest = aten.slice.Tensor %row, %zero, %two, %none, %one : (!jit.tensor, i64, i64, !jit.none, i64) -> !jit.tensor
  %e = aten.exp %x : (!jit.tensor) -> !jit.tensor
  %w = jit.overwrite %rest, %e {jit.out} : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %t, %rest : !jit.tensor, !jit.tensor
}
