// RUN: jit-opt %s --jit-functionalize-tensors | FileCheck %s

// Where data tell a size, the calls in which an out= tensor would have to take another one are refused. Open sizes of arguments are left to the copy: a call for which they
// are not equal gets a function for its own.
// CHECK-LABEL: func.func @told
// CHECK: %[[OWN:.*]] = aten.size.int
// CHECK: %[[EQUAL:.*]] = arith.cmpi eq, %[[OWN]], %[[FIVE:.*]] : i64
// CHECK: jit.guard %[[EQUAL]], "jit.Unsupported", "expected an out= tensor that has the sizes of the result, got {} for {}"(%[[OWN]], %[[FIVE]] : i64, i64)
// CHECK: aten.copy
func.func @told(%x: !jit.tensor<[?],f32>, %v: !jit.tensor<[5],f32>) -> !jit.tensor<[?],f32> {
  %y = aten.relu %x : (!jit.tensor<[?],f32>) -> !jit.tensor<[?],f32>
  %w = jit.overwrite %y, %v {jit.out} : (!jit.tensor<[?],f32>, !jit.tensor<[5],f32>) -> !jit.tensor<[?],f32>
  return %y : !jit.tensor<[?],f32>
}

// CHECK-LABEL: func.func @open
// CHECK-NOT: jit.guard
// CHECK: aten.copy
func.func @open(%x: !jit.tensor<[?],f32>, %v: !jit.tensor<[5],f32>) -> !jit.tensor<[?],f32> attributes {jit.symbolic} {
  %y = aten.relu %x : (!jit.tensor<[?],f32>) -> !jit.tensor<[?],f32>
  %w = jit.overwrite %y, %v {jit.out} : (!jit.tensor<[?],f32>, !jit.tensor<[5],f32>) -> !jit.tensor<[?],f32>
  return %y : !jit.tensor<[?],f32>
}
