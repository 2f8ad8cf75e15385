// RUN: jit-opt %s --jit-explain --jit-eliminate-grad-sum-to-size -o /dev/null 2>&1 | FileCheck %s

// Of each sum it is said whether it is gone, and why it stays.

// CHECK-DAG: autodiff: a gradient is not summed: !jit.tensor<[4],f32> was not broadcast
// CHECK-DAG: autodiff: a sum of a gradient stays: whether !jit.tensor<[?],f32> was broadcast is only known at run time
// CHECK-DAG: autodiff: a sum of a gradient stays: the operand was broadcast from !jit.tensor<[1],f32> to !jit.tensor<[4],f32>
func.func @forward(%g: !jit.tensor<[4],f32>, %u: !jit.tensor<[?],f32>, %maybe: !jit.optional<!jit.list<i64>>, %size: !jit.list<i64>)
    -> (!jit.tensor<[4],f32>, !jit.tensor<[?],f32>, !jit.tensor<[1],f32>) {
  %0 = aten._grad_sum_to_size %g, %size : (!jit.tensor<[4],f32>, !jit.list<i64>) -> !jit.tensor<[4],f32>
  %1 = aten._grad_sum_to_size %u, %maybe : (!jit.tensor<[?],f32>, !jit.optional<!jit.list<i64>>) -> !jit.tensor<[?],f32>
  %2 = aten._grad_sum_to_size %g, %size : (!jit.tensor<[4],f32>, !jit.list<i64>) -> !jit.tensor<[1],f32>
  return %0, %1, %2 : !jit.tensor<[4],f32>, !jit.tensor<[?],f32>, !jit.tensor<[1],f32>
}
