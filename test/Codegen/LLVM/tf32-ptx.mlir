// REQUIRES: ptxas
// RUN: jit-translate --mlir-to-ptx=%s --chip=sm_80 --gpu-tf32 -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %ptxas -arch=sm_80 -v %t.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS
// RUN: jit-translate --mlir-to-ptx=%s --chip=sm_80 | FileCheck %s --check-prefix=EXACT

// Factors are rounded to the nearest number of 10 bits, sums stay f32. Nothing of it happens unasked.
// PTXAS:       0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
// CHECK-LABEL: .entry forward_mma_0(
// CHECK:         ldmatrix.sync.aligned.m8n8.x4.shared.b16
// CHECK:         cvt.rna.tf32.f32
// CHECK:         mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32
// EXACT-NOT:   tf32
// EXACT:       .entry forward_product_0(
// EXACT-NOT:   tf32
func.func @forward(%a: tensor<4096x4096xf32>, %b: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4096x4096xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %p = linalg.matmul ins(%a, %b : tensor<4096x4096xf32>, tensor<4096x4096xf32>) outs(%f : tensor<4096x4096xf32>)
      -> tensor<4096x4096xf32>
  return %p : tensor<4096x4096xf32>
}
