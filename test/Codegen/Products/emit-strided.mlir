// RUN: jit-opt %s --jit-emit-products | FileCheck %s

// Rows that are further apart than they are long.
// CHECK-LABEL: func.func @strided(
// CHECK-NOT:     linalg.matmul
// CHECK:         vector.fma
func.func @strided(%a: memref<64x32xf32, strided<[40, 1]>>, %b: memref<32x64xf32, strided<[80, 1], offset: 16>>,
                   %c: memref<64x64xf32, strided<[96, 1]>>) {
  linalg.matmul ins(%a, %b : memref<64x32xf32, strided<[40, 1]>>, memref<32x64xf32, strided<[80, 1], offset: 16>>)
                outs(%c : memref<64x64xf32, strided<[96, 1]>>)
  return
}
