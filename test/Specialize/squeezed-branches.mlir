// Whether squeeze drops a dimension whose size data tell is a branch: what follows is evaluated in each of its ways.
// RUN: jit-opt %s --jit-specialize='entry=forward args=f32[4]' | FileCheck %s
// RUN: jit-opt %s --jit-specialize='entry=all args=f32[4]' | FileCheck %s --check-prefix=ALL
// RUN: jit-opt %s --jit-specialize='entry=forward args=f32[n]' | FileCheck %s --check-prefix=SYMBOLIC

// CHECK-LABEL: func.func @forward(
// CHECK: %[[P:.*]] = aten.nonzero
// CHECK: %[[N:.*]] = aten.size.int %[[P]]
// CHECK: %[[ONE:.*]] = arith.cmpi eq, %[[N]]
// CHECK: scf.if %[[ONE]]
// CHECK: %[[S:.*]] = aten.select.int %[[P]]{{.*}} -> !jit.tensor<[1],i64>
// CHECK: aten.neg %[[S]]
// CHECK: } else {
// CHECK: aten.neg %[[P]] : (!jit.tensor<[?,1],i64>)
// CHECK-NOT: jit.guard
// Where the call leaves sizes open another variant serves those that are 1.
// SYMBOLIC: jit.guard {{.*}}"jit.UnequalSizes"
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %p = aten.nonzero %x : (!jit.tensor) -> !jit.tensor
  %first = arith.constant 0 : i64
  %s = aten.squeeze.dim %p, %first : (!jit.tensor, i64) -> !jit.tensor
  %r = aten.neg %s : (!jit.tensor) -> !jit.tensor
  return %r : !jit.tensor
}

// Of all dimensions each may be dropped.
// ALL-LABEL: func.func @all(
// ALL: %[[P:.*]] = aten.nonzero
// ALL: %[[S:.*]] = aten.squeeze.dim %[[P]]{{.*}} -> !jit.tensor<[?],i64>
// ALL: scf.if
// ALL: aten.neg {{.*}}(!jit.tensor<[],i64>)
// ALL: } else {
// ALL: aten.neg %[[S]] : (!jit.tensor<[?],i64>)
func.func @all(%x: !jit.tensor) -> !jit.tensor {
  %p = aten.nonzero %x : (!jit.tensor) -> !jit.tensor
  %s = aten.squeeze %p : (!jit.tensor) -> !jit.tensor
  %r = aten.neg %s : (!jit.tensor) -> !jit.tensor
  return %r : !jit.tensor
}
