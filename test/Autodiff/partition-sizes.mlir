// RUN: jit-opt %s --jit-partition-gradients | FileCheck %s

// A list of sizes is made again of its numbers, which are kept: no function gives or takes a list.

// CHECK-LABEL: func.func @forward(
//  CHECK-SAME: -> (!jit.tensor<[?],f32>, i64)
// CHECK-LABEL: func.func @forward.backward(
//       CHECK: %[[SIZES:.*]] = jit.list %arg1 : (i64) -> !jit.list<i64>
//       CHECK: aten._grad_sum_to_size %arg0, %[[SIZES]]
func.func @forward(%x: !jit.tensor<[4],f32> {jit.requires_grad}, %places: !jit.tensor<[4],i1>,
                   %seed: !jit.tensor<[?],f32> {jit.grad_of = 0 : i64}) -> (!jit.tensor<[?],f32>, !jit.tensor<[?],f32>)
    attributes {jit.outputs = [{value = 0 : i64}, {grad = array<i64: 0>, value = 1 : i64}]} {
  %c0 = arith.constant 0 : i64
  %0 = aten.masked_select %x, %places : (!jit.tensor<[4],f32>, !jit.tensor<[4],i1>) -> !jit.tensor<[?],f32>
  %1 = aten.size.int %0, %c0 : (!jit.tensor<[?],f32>, i64) -> i64
  %2 = jit.list %1 : (i64) -> !jit.list<i64>
  %3 = aten._grad_sum_to_size %seed, %2 : (!jit.tensor<[?],f32>, !jit.list<i64>) -> !jit.tensor<[?],f32>
  return %0, %3 : !jit.tensor<[?],f32>, !jit.tensor<[?],f32>
}
