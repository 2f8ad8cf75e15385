// RUN: jit-opt %s --jit-specialize="args=f32[2]:grad" | FileCheck %s

// What is computed of an argument that requires a gradient requires one, so that a branch on that is gone.

// CHECK-LABEL: func.func @forward
//       CHECK: aten.relu
//   CHECK-NOT: scf.if
//   CHECK-NOT: aten.neg
//       CHECK: return
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %n = aten.relu %x : (!jit.tensor) -> !jit.tensor
  %requires = aten.requires_grad %n : (!jit.tensor) -> i1
  %r = scf.if %requires -> !jit.tensor {
    scf.yield %n : !jit.tensor
  } else {
    %m = aten.neg %n : (!jit.tensor) -> !jit.tensor
    scf.yield %m : !jit.tensor
  }
  return %r : !jit.tensor
}
