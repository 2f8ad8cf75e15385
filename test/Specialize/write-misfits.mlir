// RUN: jit-opt %s --jit-specialize="args=f32[2,3],f32[3],?bool" | FileCheck %s --check-prefix=FITS
// RUN: jit-opt %s --jit-specialize="args=f32[2,3],f32[2,1],?bool" | FileCheck %s --check-prefix=FITS
// RUN: jit-opt %s --jit-specialize="args=f32[2,3],f32[?],?bool" | FileCheck %s --check-prefix=FITS
// RUN: jit-opt %s --jit-specialize="args=f32[2,?],f32[3],?bool" | FileCheck %s --check-prefix=FITS
// RUN: jit-opt %s --jit-specialize="args=f32[2,3],f32[2],?bool" | FileCheck %s --check-prefix=RAISES
// RUN: jit-opt %s --jit-specialize="args=f32[2,3],f32[1,2,3],?bool" | FileCheck %s --check-prefix=RAISES
// RUN: jit-opt %s --jit-specialize="args=f32[2,3],f32[?,2],?bool" | FileCheck %s --check-prefix=RAISES

// A write in one way of a branch ends the calls that go there, if what is written certainly does not go into the tensor.
// FITS: scf.if
// FITS-NOT: jit.guard
// FITS: jit.overwrite
// FITS: aten.exp
// RAISES: scf.if
// RAISES: jit.guard %false, "builtins.RuntimeError", "expected a value that has or broadcasts to the sizes of what is written
// RAISES-NOT: aten.exp
func.func @forward(%x: !jit.tensor, %y: !jit.tensor, %c: i1) -> !jit.tensor {
  %none = jit.constant !jit.none = unit
  %t = aten.clone %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  scf.if %c {
    %w = jit.overwrite %t, %y : (!jit.tensor, !jit.tensor) -> !jit.tensor
    %e = aten.exp %w : (!jit.tensor) -> !jit.tensor
    %u = jit.overwrite %t, %e : (!jit.tensor, !jit.tensor) -> !jit.tensor
  }
  return %t : !jit.tensor
}
