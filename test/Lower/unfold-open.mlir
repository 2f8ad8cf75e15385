// RUN: jit-opt %s --jit-lower --canonicalize | FileCheck %s

// As many windows as the dimension has room for; a call with room for none ends.
// CHECK-LABEL: func.func @forward
// CHECK: %[[SIZE:.*]] = tensor.dim %{{.*}}, %c0
// CHECK: %[[FITS:.*]] = arith.cmpi sge, %[[SIZE]], %c3
// CHECK: jit.guard %[[FITS]], "builtins.RuntimeError", "expected a window of at most {} elements, got {}"
// CHECK: %[[LEFT:.*]] = arith.subi %[[SIZE]], %c3
// CHECK: %[[STEPS:.*]] = arith.divsi %[[LEFT]], %c2
// CHECK: %[[COUNT:.*]] = arith.addi %[[STEPS]], %c1
// CHECK: tensor.empty(%[[COUNT]]) : tensor<?x3xf32>
func.func @forward(%x: !jit.tensor<[?],f32>) -> !jit.tensor<[?,3],f32> attributes {jit.symbolic} {
  %zero = arith.constant 0 : i64
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %d = aten.unfold %x, %zero, %three, %two : (!jit.tensor<[?],f32>, i64, i64, i64) -> !jit.tensor<[?,3],f32>
  return %d : !jit.tensor<[?,3],f32>
}
