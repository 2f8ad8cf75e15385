// RUN: jit-opt %s --split-input-file --jit-specialize="args=c64[3]" --verify-diagnostics
// RUN: jit-opt %s --split-input-file --jit-specialize="args=f32[3]" | FileCheck %s

// CHECK-LABEL: func.func @forward(
//       CHECK: aten.sign
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  // expected-error @+1 {{expected elements that are bool, uint8, int8 to int64, f16, bf16, f32 and f64 in aten::sign, got c64}}
  %0 = aten.sign %x : (!jit.tensor) -> !jit.tensor
  return %0 : !jit.tensor
}
