// RUN: jit-opt %s --jit-specialize="args=f32[2],false" | FileCheck %s
// RUN: not jit-opt %s --jit-specialize="args=f32[2],true" 2>&1 | FileCheck %s --check-prefix=REACHED

// An operator that is not there is an error of the calls that get to it; all of them are reported.
// CHECK-LABEL: func.func @forward
// CHECK-NOT: jit.missing
// REACHED: error: operator aten::gone is not supported
// REACHED: error: operator aten::lost is not supported
func.func @forward(%x: !jit.tensor, %training: i1) -> !jit.tensor {
  %r = scf.if %training -> !jit.tensor {
    %a = jit.missing "operator aten::gone is not supported" : !jit.tensor
    %b = jit.missing "operator aten::lost is not supported" : !jit.tensor
    scf.yield %b : !jit.tensor
  } else {
    scf.yield %x : !jit.tensor
  }
  return %r : !jit.tensor
}
