// RUN: jit-opt %s --jit-specialize="args=f32[2]" --verify-diagnostics

// Where all calls come to such an end, that is an error of the program.

func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %none = jit.constant !jit.none = unit
  %sum = aten.sum %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %holds = aten.Bool.Tensor %sum : (!jit.tensor) -> i1
  %r = scf.if %holds -> !jit.tensor {
    %a = jit.missing "operator aten::gone is not supported" : !jit.tensor
    scf.yield %a : !jit.tensor
  } else {
    // expected-error @below {{operator aten::lost is not supported}}
    %b = jit.missing "operator aten::lost is not supported" : !jit.tensor
    scf.yield %b : !jit.tensor
  }
  return %r : !jit.tensor
}
