// RUN: jit-opt %s --jit-specialize="args=c64[3],?bool" | FileCheck %s

// In one way of a branch it ends the calls that go there.
//     CHECK: scf.if
//     CHECK: jit.guard %false, "builtins.RuntimeError", "expected elements that are bool, uint8, int8 to int64, f16, bf16, f32 and f64 in aten::sign, got c64"
// CHECK-NOT: aten.sign
func.func @forward(%x: !jit.tensor, %c: i1) -> !jit.tensor {
  %0 = scf.if %c -> !jit.tensor {
    %1 = aten.sign %x : (!jit.tensor) -> !jit.tensor
    scf.yield %1 : !jit.tensor
  } else {
    scf.yield %x : !jit.tensor
  }
  return %0 : !jit.tensor
}
