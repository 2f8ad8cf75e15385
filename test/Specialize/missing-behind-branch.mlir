// RUN: jit-opt %s --jit-specialize="args=f32[2]" | FileCheck %s

// An operator that is not there ends the calls for which data choose it; others are served.

// CHECK-LABEL: func.func @forward
//       CHECK: scf.if
//       CHECK: jit.guard %{{.*}}, "jit.Unsupported", "operator aten::gone is not supported"
//   CHECK-NOT: jit.missing
//       CHECK: return
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %none = jit.constant !jit.none = unit
  %sum = aten.sum %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %holds = aten.Bool.Tensor %sum : (!jit.tensor) -> i1
  %r = scf.if %holds -> !jit.tensor {
    %a = jit.missing "operator aten::gone is not supported" : !jit.tensor
    %b = aten.relu %a : (!jit.tensor) -> !jit.tensor
    scf.yield %b : !jit.tensor
  } else {
    scf.yield %x : !jit.tensor
  }
  return %r : !jit.tensor
}
