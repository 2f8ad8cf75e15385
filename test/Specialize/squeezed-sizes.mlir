// Where the call leaves sizes open, one that data tell is taken not to be 1 where squeeze would drop it: other variants serve calls in which it is.
// RUN: jit-opt %s --jit-specialize='entry=forward args=f32[n]' | FileCheck %s

// CHECK-LABEL: func.func @forward(
// CHECK: %[[P:.*]] = aten.nonzero
// CHECK: %[[N:.*]] = aten.size.int %[[P]]
// CHECK: %[[KEPT:.*]] = arith.cmpi ne, %[[N]]
// CHECK: jit.guard %[[KEPT]]{{.*}}expected a size that data tell not to be 1 where squeeze would drop it
// CHECK: aten.squeeze %[[P]] : (!jit.tensor<[?,1],i64>) -> !jit.tensor<[?],i64>
// CHECK-NOT: jit.guard
func.func @forward(%x: !jit.tensor) -> (!jit.tensor, !jit.tensor) {
  %p = aten.nonzero %x : (!jit.tensor) -> !jit.tensor
  %all = aten.squeeze %p : (!jit.tensor) -> !jit.tensor
  %last = arith.constant -1 : i64
  %one = aten.squeeze.dim %p, %last : (!jit.tensor, i64) -> !jit.tensor
  return %all, %one : !jit.tensor, !jit.tensor
}
