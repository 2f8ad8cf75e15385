// RUN: jit-opt %s --jit-infer-types --jit-decompose | FileCheck %s

// Whether a tensor of open size has all elements that as_strided shows, the call tells.
// CHECK-LABEL: func.func @forward(
//       CHECK: %[[COUNT:.*]] = arith.muli
//       CHECK: %[[IS_THERE:.*]] = arith.cmpi sgt, %[[COUNT]], %{{.*}}
//       CHECK: jit.guard %[[IS_THERE]], "jit.UnequalSizes", "expected as_strided of at most {} elements, got the element {}"
//       CHECK: aten.index.Tensor %{{.*}} -> !jit.tensor<[2],f32>
//   CHECK-NOT: aten.as_strided
func.func @forward(%x: !jit.tensor<[?,?],f32>) -> !jit.tensor attributes {jit.symbolic} {
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %sizes = jit.list %two : (i64) -> !jit.list<i64>
  %strides = jit.list %two : (i64) -> !jit.list<i64>
  %0 = aten.as_strided %x, %sizes, %strides, %one : (!jit.tensor<[?,?],f32>, !jit.list<i64>, !jit.list<i64>, i64) -> !jit.tensor
  return %0 : !jit.tensor
}
