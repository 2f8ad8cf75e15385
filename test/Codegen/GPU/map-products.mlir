// RUN: jit-opt %s --jit-gpu-map-kernels | FileCheck %s

// Tiles of 64 by 64, slices of 16 through shared memory, 4 by 4 sums a thread; the edges are guarded.
// CHECK-LABEL: func.func @matmul(
// CHECK:         gpu.launch {{.*}} in (%{{.*}} = %c4{{.*}}) threads({{.*}}) in (%{{.*}} = %c256
// CHECK-SAME:      workgroup(%[[L:.*]] : memref<16x64xf32, #gpu.address_space<workgroup>>, %[[R:.*]] : memref<16x64xf32, #gpu.address_space<workgroup>>)
// CHECK:           scf.for %{{.*}} = %c0{{.*}} to %c70{{.*}} step %c16
// CHECK:             memref.store %{{.*}}, %[[L]]
// CHECK:             memref.store %{{.*}}, %[[R]]
// CHECK:             gpu.barrier
// CHECK:             scf.for
// CHECK-COUNT-4:       memref.load %[[L]]
// CHECK-COUNT-16:      arith.mulf
// CHECK:             gpu.barrier
// CHECK:           scf.if
// CHECK:         } {jit.kernel = "product"}
func.func @matmul(%a: memref<100x70xf32>, %b: memref<70x90xf32>, %c: memref<100x90xf32>) {
  linalg.matmul ins(%a, %b : memref<100x70xf32>, memref<70x90xf32>) outs(%c : memref<100x90xf32>)
  return
}

// Sides that tiles divide need no guard.
// CHECK-LABEL: func.func @even(
// CHECK-NOT:     scf.if
// CHECK:         } {jit.kernel = "product"}
func.func @even(%a: memref<2x64x32xf32>, %b: memref<2x32x128xf32>, %c: memref<2x64x128xf32>) {
  linalg.batch_matmul ins(%a, %b : memref<2x64x32xf32>, memref<2x32x128xf32>) outs(%c : memref<2x64x128xf32>)
  return
}

// One row is a reduction.
// CHECK-LABEL: func.func @vector(
// CHECK:         } {jit.kernel = "rows"}
func.func @vector(%a: memref<100x70xf32>, %b: memref<70xf32>, %c: memref<100xf32>) {
  linalg.matvec ins(%a, %b : memref<100x70xf32>, memref<70xf32>) outs(%c : memref<100xf32>)
  return
}
