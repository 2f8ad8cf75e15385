// RUN: jit-opt %s --jit-differentiate --canonicalize --cse | FileCheck %s

// The tensor that was not taken has zeros of its own size, which need not be that of the other.
// CHECK-LABEL: func.func @forward
//  CHECK-SAME: (%[[P:.*]]: i1, %[[X:.*]]: !jit.tensor<[?],f32> {jit.requires_grad}, %[[Y:.*]]: !jit.tensor<[?],f32> {jit.requires_grad})
//       CHECK: %[[SEED:.*]] = aten.ones_like
//       CHECK: %[[LIKEX:.*]] = aten.zeros_like %[[X]]
//       CHECK: %[[OFX:.*]] = arith.select %[[P]], %[[SEED]], %[[LIKEX]]
//       CHECK: %[[LIKEY:.*]] = aten.zeros_like %[[Y]]
//       CHECK: %[[OFY:.*]] = arith.select %[[P]], %[[LIKEY]], %[[SEED]]
//       CHECK: return %{{.*}}, %[[OFX]], %[[OFY]]
func.func @forward(%p: i1, %x: !jit.tensor<[?],f32> {jit.requires_grad}, %y: !jit.tensor<[?],f32> {jit.requires_grad}) -> !jit.tensor<[?],f32> {
  %r = arith.select %p, %x, %y : !jit.tensor<[?],f32>
  return %r : !jit.tensor<[?],f32>
}
