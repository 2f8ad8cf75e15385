// RUN: jit-opt %s --jit-add-optimizer-steps="optimizer=sgd" | FileCheck %s

// The loss is the first of a tuple's parts. What is trained are floating parameters: read twice, one has one argument, and neither a
// buffer nor a parameter of integers has any.

//       CHECK: jit.slot parameter @w {{.*}}{jit.mutable}
//       CHECK: jit.slot parameter @count {{.*}}]>{{$}}
//       CHECK: jit.slot @mean {{.*}}]>{{$}}
// CHECK-LABEL: func.func @forward
//  CHECK-SAME: (%{{[a-z0-9]+}}: !jit.tensor<[4],f32>, %[[STEP:[a-z0-9]+]]: !jit.tensor<[4],f32> {jit.slot = "w"}, %{{[a-z0-9]+}}: !jit.tensor<[],f64> {jit.slot = "optimizer.step"})
//       CHECK: jit.slot_get @count
//       CHECK: jit.slot_get @mean
//   CHECK-NOT: jit.slot_get
//       CHECK: %[[LOSS:.*]] = aten.sum
//       CHECK: jit.optimizer_step "sgd" {{.*}}(%[[LOSS]],
//   CHECK-NOT: jit.optimizer_step
//       CHECK: return
jit.slot parameter @w : !jit.tensor<[4],f32> = #jit.storage<"data/0", 0, [1]>
jit.slot parameter @count : !jit.tensor<[4],i64> = #jit.storage<"data/1", 0, [1]>
jit.slot @mean : !jit.tensor<[4],f32> = #jit.storage<"data/2", 0, [1]>
func.func @forward(%x: !jit.tensor<[4],f32>) -> !jit.tuple<!jit.tensor<[],f32>, !jit.tensor<[4],f32>> {
  %none = jit.constant !jit.none = unit
  %one = arith.constant 1 : i64
  %w = jit.slot_get @w : !jit.tensor<[4],f32>
  %n = jit.slot_get @count : !jit.tensor<[4],i64>
  %m = jit.slot_get @mean : !jit.tensor<[4],f32>
  %again = jit.slot_get @w : !jit.tensor<[4],f32>
  %0 = aten.mul.Tensor %x, %w : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %1 = aten.sub.Tensor %0, %m, %one : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>, i64) -> !jit.tensor<[4],f32>
  %2 = aten.mul.Tensor %1, %n : (!jit.tensor<[4],f32>, !jit.tensor<[4],i64>) -> !jit.tensor<[4],f32>
  %3 = aten.mul.Tensor %2, %again : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %4 = aten.sum %3, %none : (!jit.tensor<[4],f32>, !jit.none) -> !jit.tensor<[],f32>
  %5 = jit.tuple %4, %3 : (!jit.tensor<[],f32>, !jit.tensor<[4],f32>) -> !jit.tuple<!jit.tensor<[],f32>, !jit.tensor<[4],f32>>
  return %5 : !jit.tuple<!jit.tensor<[],f32>, !jit.tensor<[4],f32>>
}
