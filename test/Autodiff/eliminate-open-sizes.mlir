// RUN: jit-opt %s --jit-eliminate-grad-sum-to-size --split-input-file | FileCheck %s

// Where open sizes are equal as they meet: an open size and a known one are the same, but for 1; ranks that differ or are not known are not.

// CHECK-LABEL: func.func @meet
//       CHECK: aten._grad_sum_to_size %arg2
//       CHECK: aten._grad_sum_to_size %arg3
//       CHECK: aten._grad_sum_to_size %arg0
//   CHECK-NOT: aten._grad_sum_to_size
//       CHECK: return %arg0, %{{.*}}, %{{.*}}, %{{.*}}, %arg1
func.func @meet(%a: !jit.tensor<[?,4],f32>, %b: !jit.tensor<[3,4],f32>, %c: !jit.tensor<[2,?,4],f32>, %d: !jit.tensor<*,f32>, %size: !jit.optional<!jit.list<i64>>)
    -> (!jit.tensor<[?,4],f32>, !jit.tensor<[?,4],f32>, !jit.tensor<[?,4],f32>, !jit.tensor<[1,4],f32>, !jit.tensor<[3,4],f32>) attributes {jit.symbolic} {
  %0 = aten._grad_sum_to_size %a, %size : (!jit.tensor<[?,4],f32>, !jit.optional<!jit.list<i64>>) -> !jit.tensor<[?,4],f32>
  %1 = aten._grad_sum_to_size %c, %size : (!jit.tensor<[2,?,4],f32>, !jit.optional<!jit.list<i64>>) -> !jit.tensor<[?,4],f32>
  %2 = aten._grad_sum_to_size %d, %size : (!jit.tensor<*,f32>, !jit.optional<!jit.list<i64>>) -> !jit.tensor<[?,4],f32>
  %3 = aten._grad_sum_to_size %a, %size : (!jit.tensor<[?,4],f32>, !jit.optional<!jit.list<i64>>) -> !jit.tensor<[1,4],f32>
  %4 = aten._grad_sum_to_size %b, %size : (!jit.tensor<[3,4],f32>, !jit.optional<!jit.list<i64>>) -> !jit.tensor<[3,4],f32>
  return %0, %1, %2, %3, %4 : !jit.tensor<[?,4],f32>, !jit.tensor<[?,4],f32>, !jit.tensor<[?,4],f32>, !jit.tensor<[1,4],f32>, !jit.tensor<[3,4],f32>
}

// -----

// An open size may be a known one, but not the other way round where that is 1; of unknown ranks nothing is known.

// CHECK-LABEL: func.func @known
//   CHECK-NOT: aten._grad_sum_to_size %arg0
//       CHECK: aten._grad_sum_to_size %arg1
//       CHECK: aten._grad_sum_to_size %arg2
//       CHECK: aten._grad_sum_to_size %arg2
//       CHECK: aten._grad_sum_to_size %arg3
//   CHECK-NOT: aten._grad_sum_to_size
//       CHECK: return
func.func @known(%a: !jit.tensor<[?,4],f32>, %b: !jit.tensor<[1,4],f32>, %d: !jit.tensor<*,f32>, %e: !jit.tensor<[],f32>, %size: !jit.optional<!jit.list<i64>>)
    -> (!jit.tensor<[3,4],f32>, !jit.tensor<[?,4],f32>, !jit.tensor<*,f32>, !jit.tensor<[],f32>, !jit.tensor<*,f32>) attributes {jit.symbolic} {
  %0 = aten._grad_sum_to_size %a, %size : (!jit.tensor<[?,4],f32>, !jit.optional<!jit.list<i64>>) -> !jit.tensor<[3,4],f32>
  %1 = aten._grad_sum_to_size %b, %size : (!jit.tensor<[1,4],f32>, !jit.optional<!jit.list<i64>>) -> !jit.tensor<[?,4],f32>
  %2 = aten._grad_sum_to_size %d, %size : (!jit.tensor<*,f32>, !jit.optional<!jit.list<i64>>) -> !jit.tensor<*,f32>
  %3 = aten._grad_sum_to_size %d, %size : (!jit.tensor<*,f32>, !jit.optional<!jit.list<i64>>) -> !jit.tensor<[],f32>
  %4 = aten._grad_sum_to_size %e, %size : (!jit.tensor<[],f32>, !jit.optional<!jit.list<i64>>) -> !jit.tensor<*,f32>
  return %0, %1, %2, %3, %4 : !jit.tensor<[3,4],f32>, !jit.tensor<[?,4],f32>, !jit.tensor<*,f32>, !jit.tensor<[],f32>, !jit.tensor<*,f32>
}

// -----

// Elsewhere they may differ: only sizes that both types say are the same.

// CHECK-LABEL: func.func @apart
// CHECK-COUNT-3: aten._grad_sum_to_size
//       CHECK: return %{{.*}}, %{{.*}}, %{{.*}}, %arg1
func.func @apart(%a: !jit.tensor<[?,4],f32>, %b: !jit.tensor<[3,4],f32>, %size: !jit.optional<!jit.list<i64>>)
    -> (!jit.tensor<[?,4],f32>, !jit.tensor<[?,4],f32>, !jit.tensor<[1,4],f32>, !jit.tensor<[3,4],f32>) {
  %0 = aten._grad_sum_to_size %a, %size : (!jit.tensor<[?,4],f32>, !jit.optional<!jit.list<i64>>) -> !jit.tensor<[?,4],f32>
  %1 = aten._grad_sum_to_size %b, %size : (!jit.tensor<[3,4],f32>, !jit.optional<!jit.list<i64>>) -> !jit.tensor<[?,4],f32>
  %2 = aten._grad_sum_to_size %b, %size : (!jit.tensor<[3,4],f32>, !jit.optional<!jit.list<i64>>) -> !jit.tensor<[1,4],f32>
  %3 = aten._grad_sum_to_size %b, %size : (!jit.tensor<[3,4],f32>, !jit.optional<!jit.list<i64>>) -> !jit.tensor<[3,4],f32>
  return %0, %1, %2, %3 : !jit.tensor<[?,4],f32>, !jit.tensor<[?,4],f32>, !jit.tensor<[1,4],f32>, !jit.tensor<[3,4],f32>
}
