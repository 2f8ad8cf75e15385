// RUN: jit-opt %s --jit-resolve-autocast --split-input-file --verify-diagnostics | FileCheck %s

// Calls that take gradients inside of a region for a GPU are refused there.
// CHECK-LABEL: func.func @gradient
//       CHECK: %[[HERE:.*]] = aten.autocast_applies
//       CHECK: scf.if %[[HERE]]
//       CHECK:   jit.missing "operator aten::grad where autocast is enabled is not supported"
//       CHECK: aten.grad
func.func @gradient(%x: !jit.list<!jit.tensor>, %w: !jit.list<!jit.tensor>) -> !jit.list<!jit.optional<!jit.tensor>> {
  %cuda = jit.constant !jit.str = "cuda"
  %true = arith.constant true
  %bf16 = arith.constant 15 : i64
  %none = jit.constant !jit.none = unit
  aten.set_autocast %cuda, %true, %bf16 : (!jit.str, i1, i64) -> ()
  %0 = aten.grad %x, %w, %none, %none, %true, %true : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.none, !jit.none, i1, i1) -> !jit.list<!jit.optional<!jit.tensor>>
  return %0 : !jit.list<!jit.optional<!jit.tensor>>
}

// -----

func.func @which(%x: !jit.tensor, %device: !jit.str) -> i1 {
  // expected-error @below {{expected a kind of device that is known}}
  %0 = aten.autocast_enabled %device : (!jit.str) -> i1
  return %0 : i1
}
