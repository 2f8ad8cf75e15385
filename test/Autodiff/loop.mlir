// RUN: jit-opt %s --jit-differentiate --canonicalize --cse | FileCheck %s

// The loop runs backwards. Of the body it needs the tanh and what was carried in: the least bytes are to stack
// what was carried in and to compute the tanh again. The gradient of %w, which comes from outside, adds up over
// the trips.

// CHECK-LABEL: func.func @forward
//  CHECK-SAME: (%[[H:[a-z0-9]+]]: !jit.tensor<[4],f32> {jit.requires_grad}, %[[W:[a-z0-9]+]]: !jit.tensor<[4],f32> {jit.requires_grad})
//       CHECK: %[[STACK:.*]] = jit.poison : !jit.tensor<[5,4],f32>
//       CHECK: %[[FORWARD:.*]]:2 = scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[C:.*]] = %[[H]], %[[S:.*]] = %[[STACK]])
//       CHECK: %[[T:.*]] = aten.tanh
//       CHECK: %[[NEXT:.*]] = aten.select_scatter %[[S]], %[[C]], %{{.*}}, %[[I]]
//       CHECK: scf.yield %[[T]], %[[NEXT]]
//       CHECK: %[[BACKWARD:.*]]:2 = scf.for %[[K:.*]] = %{{.*}} to %{{.*}} step
//       CHECK: %[[TRIP:.*]] = arith.subi %{{.*}}, %[[K]]
//       CHECK: %[[AGAIN:.*]] = aten.select.int %[[FORWARD]]#1, %{{.*}}, %[[TRIP]]
//       CHECK: %[[PRODUCT:.*]] = aten.mul.Tensor %[[AGAIN]], %[[W]]
//       CHECK: aten.tanh %[[PRODUCT]]
//       CHECK: return %[[FORWARD]]#0, %[[BACKWARD]]#0, %[[BACKWARD]]#1
func.func @forward(%h: !jit.tensor<[4],f32> {jit.requires_grad}, %w: !jit.tensor<[4],f32> {jit.requires_grad})
    -> !jit.tensor<[4],f32> {
  %lower = arith.constant 0 : i64
  %upper = arith.constant 5 : i64
  %step = arith.constant 1 : i64
  %r = scf.for %i = %lower to %upper step %step iter_args(%c = %h) -> !jit.tensor<[4],f32> : i64 {
    %0 = aten.mul.Tensor %c, %w : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    %1 = aten.tanh %0 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    scf.yield %1 : !jit.tensor<[4],f32>
  }
  return %r : !jit.tensor<[4],f32>
}
