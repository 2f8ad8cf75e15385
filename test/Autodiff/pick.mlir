// RUN: jit-opt %s --jit-differentiate --jit-differentiate=entry=one_of_them --canonicalize | FileCheck %s

// The gradient goes to the element that was picked, which a place from the end may name.
// CHECK-LABEL: func.func @forward
//  CHECK-SAME: (%[[I:.*]]: i64, %[[X:.*]]: !jit.tensor<[4],f32> {jit.requires_grad}, %[[Y:.*]]: !jit.tensor<[4],f32> {jit.requires_grad})
//       CHECK: %[[SEED:.*]] = aten.ones_like
//       CHECK: %[[ZEROS:.*]] = aten.zeros_like
//       CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[I]], %c0_i64
//       CHECK: %[[FIRST2:.*]] = arith.cmpi eq, %[[I]], %c-2_i64
//       CHECK: %[[ISX:.*]] = arith.ori %[[FIRST]], %[[FIRST2]]
//       CHECK: %[[OFX:.*]] = arith.select %[[ISX]], %[[SEED]], %[[ZEROS]]
//       CHECK: %[[LAST:.*]] = arith.cmpi eq, %[[I]], %c1_i64
//       CHECK: %[[LAST2:.*]] = arith.cmpi eq, %[[I]], %c-1_i64
//       CHECK: %[[ISY:.*]] = arith.ori %[[LAST]], %[[LAST2]]
//       CHECK: %[[OFY:.*]] = arith.select %[[ISY]], %[[SEED]], %[[ZEROS]]
//       CHECK: return %{{.*}}, %[[OFX]], %[[OFY]]
func.func @forward(%i: i64, %x: !jit.tensor<[4],f32> {jit.requires_grad}, %y: !jit.tensor<[4],f32> {jit.requires_grad}) -> !jit.tensor<[4],f32> {
  %list = jit.list %x, %y : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.list<!jit.tensor<[4],f32>>
  %r = aten.__getitem__.t %list, %i : (!jit.list<!jit.tensor<[4],f32>>, i64) -> !jit.tensor<[4],f32>
  return %r : !jit.tensor<[4],f32>
}

// One element's gradient is not asked for.
// CHECK-LABEL: func.func @one_of_them
//       CHECK: arith.select
//   CHECK-NOT: arith.select
//       CHECK: return
func.func @one_of_them(%i: i64, %x: !jit.tensor<[4],f32>, %y: !jit.tensor<[4],f32> {jit.requires_grad}) -> !jit.tensor<[4],f32> {
  %list = jit.list %x, %y : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.list<!jit.tensor<[4],f32>>
  %r = aten.__getitem__.t %list, %i : (!jit.list<!jit.tensor<[4],f32>>, i64) -> !jit.tensor<[4],f32>
  return %r : !jit.tensor<[4],f32>
}
