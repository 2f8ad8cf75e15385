// RUN: jit-opt %s --jit-functionalize-shapes | FileCheck %s

// Later uses read what the tensor became; views taken before stay what they are.
// CHECK-LABEL: @straight
// CHECK: %[[T:.*]] = aten.clone
// CHECK: %[[V:.*]] = aten.t %[[T]]
// CHECK: %[[U:.*]] = aten.unsqueeze %[[T]]
// CHECK-NOT: jit.become
// CHECK: %[[S:.*]] = aten.relu %[[U]]
// CHECK: return %[[S]], %[[V]]
func.func @straight(%x: !jit.tensor) -> (!jit.tensor, !jit.tensor) {
  %none = jit.constant !jit.none = unit
  %zero = arith.constant 0 : i64
  %t = aten.clone %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %v = aten.t %t : (!jit.tensor) -> !jit.tensor
  %u = aten.unsqueeze %t, %zero : (!jit.tensor, i64) -> !jit.tensor
  %b = jit.become %t, %u : (!jit.tensor, !jit.tensor) -> !jit.tensor
  %s = aten.relu %t : (!jit.tensor) -> !jit.tensor
  return %s, %v : !jit.tensor, !jit.tensor
}

// A branch that changes a tensor has one result more.
// CHECK-LABEL: @branch
// CHECK: %[[T:.*]] = aten.clone
// CHECK: %[[B:.*]] = scf.if
// CHECK: %[[U:.*]] = aten.t %[[T]]
// CHECK: scf.yield %[[U]]
// CHECK: scf.yield %[[T]]
// CHECK: return %[[B]]
func.func @branch(%x: !jit.tensor, %c: i1) -> !jit.tensor {
  %none = jit.constant !jit.none = unit
  %t = aten.clone %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  scf.if %c {
    %u = aten.t %t : (!jit.tensor) -> !jit.tensor
    %b = jit.become %t, %u : (!jit.tensor, !jit.tensor) -> !jit.tensor
  }
  return %t : !jit.tensor
}
