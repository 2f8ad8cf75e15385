// Tiles are those of the CPU that is named, whichever compiles.
// RUN: jit-opt %s --jit-to-cpu=cpu=x86-64-v2 | FileCheck %s --check-prefix=V2
// RUN: jit-opt %s --jit-to-cpu=cpu=x86-64-v3 | FileCheck %s --check-prefix=V3
// RUN: jit-opt %s --jit-to-cpu=cpu=x86-64-v4 | FileCheck %s --check-prefix=V4
// RUN: jit-opt %s --jit-to-cpu=cpu=neoverse-n1 | FileCheck %s --check-prefix=V2
// RUN: not jit-opt %s --jit-to-cpu=cpu=x86-64-v9 2>&1 | FileCheck %s --check-prefix=NONE

// V2: llvm.intr.fmuladd{{.*}} vector<4xf32>
// V3: llvm.intr.fmuladd{{.*}} vector<8xf32>
// V4: llvm.intr.fmuladd{{.*}} vector<16xf32>
// NONE: expected the name of a CPU, such as x86-64-v3, got 'x86-64-v9'
func.func @forward(%x: tensor<64x96xf32>, %w: tensor<96x80xf32>) -> tensor<64x80xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x80xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<64x80xf32>) -> tensor<64x80xf32>
  %r = linalg.matmul ins(%x, %w : tensor<64x96xf32>, tensor<96x80xf32>) outs(%i : tensor<64x80xf32>) -> tensor<64x80xf32>
  return %r : tensor<64x80xf32>
}
