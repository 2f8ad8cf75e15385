// RUN: jit-opt %s --jit-differentiate=seed=arguments --jit-eliminate-grad-sum-to-size --jit-partition-gradients --canonicalize --cse | FileCheck %s

// What the backward pass needs: parameters, tensors made of numbers and cheap operators by elements are made again; random numbers and
// products are kept, and of two values that lead to one another the smaller one.

jit.slot parameter @w : !jit.tensor<[4,4],f32> = #jit.storage<"data/0", 0, [4, 1]>

// CHECK-LABEL: func.func @forward(
//       CHECK: %[[PRODUCT:.*]] = aten.mm
//       CHECK: %[[NOISE:.*]] = aten.rand.generator
//       CHECK: %[[SUM:.*]] = aten.sum.dim_IntList
//       CHECK: return %{{.*}}, %[[SUM]], %[[PRODUCT]], %[[NOISE]]
// CHECK-LABEL: func.func @forward.backward(
//   CHECK-NOT: aten.rand
//   CHECK-NOT: aten.mm
//       CHECK: jit.slot_get @w
//       CHECK: aten.arange
//       CHECK: aten.mul.Tensor %arg2
//       CHECK: aten.sin %arg2
//       CHECK: aten.cos %arg1
//       CHECK: aten.exp
//       CHECK: aten.sin %arg1
//       CHECK: aten.cos %arg2
//   CHECK-NOT: aten.rand
//   CHECK-NOT: aten.mm
//       CHECK: return
func.func @forward(%x: !jit.tensor<[4,4],f32> {jit.requires_grad}) -> !jit.tensor<[4],f32> {
  %none = jit.constant !jit.none = unit
  %false = arith.constant false
  %0 = arith.constant 0 : i64
  %4 = arith.constant 4 : i64
  %single = arith.constant 6 : i64
  %dims = jit.list %0 : (i64) -> !jit.list<i64>
  %w = jit.slot_get @w : !jit.tensor<[4,4],f32>
  %product = aten.mm %x, %w : (!jit.tensor<[4,4],f32>, !jit.tensor<[4,4],f32>) -> !jit.tensor<[4,4],f32>
  %range = aten.arange %4, %single, %none, %none, %none : (i64, i64, !jit.none, !jit.none, !jit.none) -> !jit.tensor<[4],f32>
  %noise = aten.rand_like %product, %none, %none, %none, %none, %none : (!jit.tensor<[4,4],f32>, !jit.none, !jit.none, !jit.none, !jit.none, !jit.none) -> !jit.tensor<[4,4],f32>
  %a = aten.mul.Tensor %product, %range : (!jit.tensor<[4,4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4,4],f32>
  %b = aten.mul.Tensor %a, %noise : (!jit.tensor<[4,4],f32>, !jit.tensor<[4,4],f32>) -> !jit.tensor<[4,4],f32>
  %s = aten.sin %product : (!jit.tensor<[4,4],f32>) -> !jit.tensor<[4,4],f32>
  %c = aten.mul.Tensor %b, %s : (!jit.tensor<[4,4],f32>, !jit.tensor<[4,4],f32>) -> !jit.tensor<[4,4],f32>
  %sum = aten.sum.dim_IntList %c, %dims, %false, %none : (!jit.tensor<[4,4],f32>, !jit.list<i64>, i1, !jit.none) -> !jit.tensor<[4],f32>
  %cos = aten.cos %sum : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %r = aten.exp %cos : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  return %r : !jit.tensor<[4],f32>
}
