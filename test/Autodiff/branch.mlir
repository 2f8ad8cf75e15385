// RUN: jit-opt %s --jit-differentiate --canonicalize --cse | FileCheck %s

// The backward pass branches on the same condition; what the first side needs of the product it keeps as a
// result of the forward branch, of which the other side has none.

// CHECK-LABEL: func.func @forward
//  CHECK-SAME: (%[[P:.*]]: i1, %[[X:.*]]: !jit.tensor<[4,4],f32> {jit.requires_grad})
//       CHECK: %[[FORWARD:.*]]:2 = scf.if %[[P]]
//       CHECK: %[[MM:.*]] = aten.mm
//       CHECK: %[[EXP:.*]] = aten.exp %[[MM]]
//       CHECK: scf.yield %[[EXP]], %[[EXP]]
//       CHECK: else
//       CHECK: %[[NOTHING:.*]] = jit.poison
//       CHECK: scf.yield %{{.*}}, %[[NOTHING]]
//       CHECK: %[[BACKWARD:.*]] = scf.if %[[P]]
//       CHECK: aten.mul.Tensor %{{.*}}, %[[FORWARD]]#1
//       CHECK: return %[[FORWARD]]#0, %[[BACKWARD]]
func.func @forward(%p: i1, %x: !jit.tensor<[4,4],f32> {jit.requires_grad}) -> !jit.tensor<[4,4],f32> {
  %r = scf.if %p -> !jit.tensor<[4,4],f32> {
    %0 = aten.mm %x, %x : (!jit.tensor<[4,4],f32>, !jit.tensor<[4,4],f32>) -> !jit.tensor<[4,4],f32>
    %1 = aten.exp %0 : (!jit.tensor<[4,4],f32>) -> !jit.tensor<[4,4],f32>
    scf.yield %1 : !jit.tensor<[4,4],f32>
  } else {
    %0 = aten.neg %x : (!jit.tensor<[4,4],f32>) -> !jit.tensor<[4,4],f32>
    scf.yield %0 : !jit.tensor<[4,4],f32>
  }
  return %r : !jit.tensor<[4,4],f32>
}
