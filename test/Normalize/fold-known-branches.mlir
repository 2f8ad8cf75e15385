// RUN: jit-opt %s --jit-fold-known | FileCheck %s

// Neither becomes a selection among tensors, which would be a second form of branch: a write to what a branch gives is one to either.
// CHECK-LABEL: func.func @nested
//       CHECK: scf.if
//       CHECK: scf.if
//   CHECK-NOT: arith.select
func.func @nested(%x: !jit.tensor, %y: !jit.tensor, %c: i1, %d: i1) -> (!jit.tensor, !jit.tensor) {
  %r:2 = scf.if %c -> (!jit.tensor, !jit.tensor) {
    %q = scf.if %d -> (!jit.tensor) {
      %t = aten.tanh %x : (!jit.tensor) -> !jit.tensor
      scf.yield %t : !jit.tensor
    } else {
      scf.yield %x : !jit.tensor
    }
    scf.yield %x, %q : !jit.tensor, !jit.tensor
  } else {
    scf.yield %y, %x : !jit.tensor, !jit.tensor
  }
  return %r#0, %r#1 : !jit.tensor, !jit.tensor
}

// CHECK-LABEL: func.func @flat
//       CHECK: scf.if
//   CHECK-NOT: arith.select
func.func @flat(%x: !jit.tensor, %y: !jit.tensor, %c: i1) -> !jit.tensor {
  %r = scf.if %c -> (!jit.tensor) {
    scf.yield %x : !jit.tensor
  } else {
    scf.yield %y : !jit.tensor
  }
  return %r : !jit.tensor
}
