// RUN: jit-opt %s --jit-specialize="args=c64[2,3]" --jit-functionalize-tensors --canonicalize | FileCheck %s

// The adjoint of complex numbers is a view: what is written to it is conjugated and transposed back.
// CHECK-LABEL: func.func @forward
// CHECK: %[[X:.*]] = aten.exp
// CHECK: %[[W:.*]] = aten.tanh
// CHECK: %[[BACK:.*]] = aten.conj %[[W]]
// CHECK: %[[NEXT:.*]] = aten.mT %[[BACK]]
// CHECK: return %[[NEXT]]
func.func @forward(%a: !jit.tensor) -> (!jit.tensor, !jit.tensor) {
  %x = aten.exp %a : (!jit.tensor) -> !jit.tensor
  %0 = aten.adjoint %x : (!jit.tensor) -> !jit.tensor
  %1 = aten.tanh %0 : (!jit.tensor) -> !jit.tensor
  %2 = jit.overwrite %0, %1 : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %x, %0 : !jit.tensor, !jit.tensor
}
