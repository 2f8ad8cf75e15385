// RUN: jit-opt %s --jit-differentiate --jit-differentiate=entry=one_of_them --canonicalize --cse | FileCheck %s

// The gradient goes to the value that was taken.
// CHECK-LABEL: func.func @forward
//  CHECK-SAME: (%[[P:.*]]: i1, %[[X:.*]]: !jit.tensor<[4],f32> {jit.requires_grad}, %[[Y:.*]]: !jit.tensor<[4],f32> {jit.requires_grad})
//       CHECK: %[[SEED:.*]] = aten.ones_like
//       CHECK: %[[ZEROS:.*]] = aten.zeros_like
//       CHECK: %[[OFX:.*]] = arith.select %[[P]], %[[SEED]], %[[ZEROS]]
//       CHECK: %[[OFY:.*]] = arith.select %[[P]], %[[ZEROS]], %[[SEED]]
//       CHECK: return %{{.*}}, %[[OFX]], %[[OFY]]
func.func @forward(%p: i1, %x: !jit.tensor<[4],f32> {jit.requires_grad}, %y: !jit.tensor<[4],f32> {jit.requires_grad}) -> !jit.tensor<[4],f32> {
  %r = arith.select %p, %x, %y : !jit.tensor<[4],f32>
  return %r : !jit.tensor<[4],f32>
}

// Of one of two values none is asked for.
// CHECK-LABEL: func.func @one_of_them
//       CHECK: arith.select
//       CHECK: arith.select
//   CHECK-NOT: arith.select
//       CHECK: return
func.func @one_of_them(%p: i1, %x: !jit.tensor<[4],f32>, %y: !jit.tensor<[4],f32> {jit.requires_grad}) -> !jit.tensor<[4],f32> {
  %r = arith.select %p, %x, %y : !jit.tensor<[4],f32>
  return %r : !jit.tensor<[4],f32>
}
