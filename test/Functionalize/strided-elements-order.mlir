// RUN: jit-opt %s --jit-functionalize-tensors --canonicalize | FileCheck %s

// Of a tensor whose rows lie in every fourth place elements are counted row by row: at place 4 is number 1, at place 1 number 3.

// All of its elements, and those of a row, each in another order than their places.
// CHECK-LABEL: func.func @all
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i64
// CHECK-DAG: %[[THREE:.*]] = arith.constant 3 : i64
// CHECK-DAG: %[[STEPS:.*]] = jit.list %[[ONE]], %[[THREE]]
// CHECK: aten.as_strided %arg0, %{{.*}}, %[[STEPS]], %[[ZERO]] {jit.of_memory, jit.places = array<i64: 4, 1, 0>}
func.func @all(%x: !jit.tensor<[2,3],f32> {jit.strides = array<i64: 1, 4>}) -> !jit.tensor<[3,2],f32> {
  %c3 = arith.constant 3 : i64
  %c2 = arith.constant 2 : i64
  %c4 = arith.constant 4 : i64
  %c1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : i64
  %sizes = jit.list %c3, %c2 : (i64, i64) -> !jit.list<i64>
  %steps = jit.list %c4, %c1 : (i64, i64) -> !jit.list<i64>
  %a = aten.as_strided %x, %sizes, %steps, %c0 : (!jit.tensor<[2,3],f32>, !jit.list<i64>, !jit.list<i64>, i64) -> !jit.tensor<[3,2],f32>
  return %a : !jit.tensor<[3,2],f32>
}

// CHECK-LABEL: func.func @row
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i64
// CHECK-DAG: %[[THREE:.*]] = arith.constant 3 : i64
// CHECK-DAG: %[[STEPS:.*]] = jit.list %[[ONE]] :
// CHECK: aten.as_strided %arg0, %{{.*}}, %[[STEPS]], %[[THREE]] {jit.of_memory, jit.places = array<i64: 4, 1>}
func.func @row(%x: !jit.tensor<[2,3],f32> {jit.strides = array<i64: 1, 4>}) -> !jit.tensor<[3],f32> {
  %c3 = arith.constant 3 : i64
  %c4 = arith.constant 4 : i64
  %c1 = arith.constant 1 : i64
  %sizes = jit.list %c3 : (i64) -> !jit.list<i64>
  %steps = jit.list %c4 : (i64) -> !jit.list<i64>
  %a = aten.as_strided %x, %sizes, %steps, %c1 : (!jit.tensor<[2,3],f32>, !jit.list<i64>, !jit.list<i64>, i64) -> !jit.tensor<[3],f32>
  return %a : !jit.tensor<[3],f32>
}

// Without a place it begins where the tensor does, wherever that is. A dimension of size 1 may have any step.
// CHECK-LABEL: func.func @own
// CHECK: aten.as_strided %arg0, {{.*}} {jit.of_memory, jit.places = array<i64: 4, 7, 0>}
func.func @own(%x: !jit.tensor<[2,3],f32> {jit.strides = array<i64: 1, 4>}) -> !jit.tensor<[3,1],f32> {
  %c3 = arith.constant 3 : i64
  %c1 = arith.constant 1 : i64
  %c4 = arith.constant 4 : i64
  %c7 = arith.constant 7 : i64
  %sizes = jit.list %c3, %c1 : (i64, i64) -> !jit.list<i64>
  %steps = jit.list %c4, %c7 : (i64, i64) -> !jit.list<i64>
  %none = jit.constant !jit.none = unit
  %a = aten.as_strided %x, %sizes, %steps, %none : (!jit.tensor<[2,3],f32>, !jit.list<i64>, !jit.list<i64>, !jit.none) -> !jit.tensor<[3,1],f32>
  return %a : !jit.tensor<[3,1],f32>
}

// A tensor under the name that a write gave it.
// CHECK-LABEL: func.func @written
// CHECK: aten.as_strided %arg1, {{.*}} {jit.of_memory, jit.places = array<i64: 4, 0>}
func.func @written(%x: !jit.tensor<[2,3],f32> {jit.strides = array<i64: 1, 4>}, %v: !jit.tensor<[2,3],f32>) -> !jit.tensor<[3],f32> {
  %w = jit.overwrite %x, %v : (!jit.tensor<[2,3],f32>, !jit.tensor<[2,3],f32>) -> !jit.tensor<[2,3],f32>
  %c3 = arith.constant 3 : i64
  %c4 = arith.constant 4 : i64
  %c0 = arith.constant 0 : i64
  %sizes = jit.list %c3 : (i64) -> !jit.list<i64>
  %steps = jit.list %c4 : (i64) -> !jit.list<i64>
  %a = aten.as_strided %w, %sizes, %steps, %c0 : (!jit.tensor<[2,3],f32>, !jit.list<i64>, !jit.list<i64>, i64) -> !jit.tensor<[3],f32>
  return %a : !jit.tensor<[3],f32>
}
