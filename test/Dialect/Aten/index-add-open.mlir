// RUN: jit-opt %s --jit-infer-types --jit-decompose | FileCheck %s

// A part of the source for each index: the call compares the two, and the other sizes with those of self.
// CHECK-LABEL: func.func @forward(
// CHECK:         %[[PARTS:.*]] = aten.size.int %arg2
// CHECK:         %[[PLACES:.*]] = aten.size.int %arg1
// CHECK:         arith.cmpi eq, %[[PARTS]], %[[PLACES]]
// CHECK:         jit.guard %{{.*}}, "jit.UnequalSizes"
// CHECK:         aten.index_put %{{.*}} : (!jit.tensor<[?,4],f32>
func.func @forward(%x: !jit.tensor<[?,4],f32>, %i: !jit.tensor<[?],i64>, %y: !jit.tensor<[?,4],f32>) -> !jit.tensor attributes {jit.symbolic} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %0 = aten.index_add %x, %zero, %i, %y, %one : (!jit.tensor<[?,4],f32>, i64, !jit.tensor<[?],i64>, !jit.tensor<[?,4],f32>, i64) -> !jit.tensor
  return %0 : !jit.tensor
}
