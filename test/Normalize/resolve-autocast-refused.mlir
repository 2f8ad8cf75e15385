// RUN: jit-opt %s --jit-resolve-autocast --split-input-file --verify-diagnostics | FileCheck %s

// Calls that get to an operator of other parts than PyTorch's, on that device, are refused.
// CHECK-LABEL: func.func @other_parts
//       CHECK: %[[HERE:.*]] = aten.autocast_applies
//       CHECK: scf.if %[[HERE]]
//       CHECK:   jit.missing "operator aten::bilinear where autocast is enabled is not supported"
//       CHECK: aten.bilinear %arg0, %arg0, %arg1
func.func @other_parts(%x: !jit.tensor, %w: !jit.tensor) -> !jit.tensor {
  %cpu = jit.constant !jit.str = "cpu"
  %true = arith.constant true
  %bf16 = arith.constant 15 : i64
  %none = jit.constant !jit.none = unit
  aten.set_autocast %cpu, %true, %bf16 : (!jit.str, i1, i64) -> ()
  %0 = aten.bilinear %x, %x, %w, %none : (!jit.tensor, !jit.tensor, !jit.tensor, !jit.none) -> !jit.tensor
  return %0 : !jit.tensor
}

// -----

func.func @which(%x: !jit.tensor, %device: !jit.str) -> i1 {
  // expected-error @below {{expected a kind of device that is known}}
  %0 = aten.autocast_enabled %device : (!jit.str) -> i1
  return %0 : i1
}
