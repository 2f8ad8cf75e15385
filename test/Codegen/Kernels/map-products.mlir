// RUN: jit-opt %s --jit-gpu-map-kernels | FileCheck %s

// Tiles of 64 by 64, slices of 16 summands, 4 by 4 sums a thread. The next slice is loaded before the last is multiplied, and stored in the
// other half of shared memory behind it. Rows and columns beyond the last are loaded as the last one, and nobody stores their sums. The first
// slice has zeros in front, so that all others are whole.
// CHECK-LABEL: func.func @matmul(
// CHECK:         gpu.launch {{.*}} in (%{{.*}} = %c4{{.*}}) threads({{.*}}) in (%{{.*}} = %c256
// CHECK-SAME:      workgroup(%[[L:.*]] : memref<2x16x64xf32, #gpu.address_space<workgroup>>, %[[R:.*]] : memref<2x16x64xf32, #gpu.address_space<workgroup>>)
// CHECK:           arith.minui %{{.*}}, %c99
// CHECK:           %[[FIRST:.*]] = scf.if
// CHECK:           %[[LV:.*]] = memref.reinterpret_cast %[[L]]
// CHECK:           memref.store %[[FIRST]], %[[LV]][%c0
// CHECK:           memref.reinterpret_cast %[[R]] to offset: [%{{.*}}], sizes: [4], strides: [64]
// CHECK:           gpu.barrier
// CHECK:           scf.for %{{.*}} = %c0{{.*}} to %c5{{.*}} step %c1
// CHECK-NOT:         scf.if
// CHECK:             %[[VIEW:.*]] = memref.reinterpret_cast %arg0
// CHECK:             memref.load %[[VIEW]]
// CHECK:             %[[A:.*]] = memref.reinterpret_cast %[[L]] to offset: [%{{.*}}], sizes: [16, 64], strides: [64, 1]
// CHECK:             vector.load %[[A]][{{.*}} : {{.*}}, vector<4xf32>
// CHECK:             %[[B:.*]] = memref.reinterpret_cast %[[R]] to offset: [%{{.*}}], sizes: [16, 64], strides: [64, 1]
// CHECK:             vector.load %[[B]][{{.*}} : {{.*}}, vector<4xf32>
// CHECK-COUNT-16:    arith.mulf
// CHECK:             memref.reinterpret_cast %[[L]]
// CHECK:             memref.reinterpret_cast %[[R]] to offset: [%{{.*}}], sizes: [4], strides: [64]
// CHECK:             gpu.barrier
// CHECK:           scf.if
// CHECK:         } {jit.kernel = "product"}
func.func @matmul(%a: memref<100x70xf32>, %b: memref<70x90xf32>, %c: memref<100x90xf32>) {
  linalg.matmul ins(%a, %b : memref<100x70xf32>, memref<70x90xf32>) outs(%c : memref<100x90xf32>)
  return
}

// Of one slice, zeros in front are brought in the loop, too.
// CHECK-LABEL: func.func @short(
// CHECK:           scf.for
// CHECK:             scf.if
// CHECK:             arith.mulf
func.func @short(%a: memref<64x5xf32>, %b: memref<5x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul ins(%a, %b : memref<64x5xf32>, memref<5x64xf32>) outs(%c : memref<64x64xf32>)
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

// What goes on with the sums is done where they are: no fill, no sums in memory, one kernel.
#ij = affine_map<(i, j) -> (i, j)>
#j = affine_map<(i, j) -> (j)>
// CHECK-LABEL: func.func @epilogue(
// CHECK-NOT:     memref.alloc
// CHECK:         gpu.launch
// CHECK:           %[[BIAS:.*]] = memref.load %arg2[%{{.*}}] {jit.broadcast}
// CHECK:           arith.addf %{{.*}}, %[[BIAS]]
// CHECK:           arith.maximumf
// CHECK:           memref.store %{{.*}}, %arg3
// CHECK:         } {jit.kernel = "product"}
// CHECK-NOT:     gpu.launch
func.func @epilogue(%a: memref<64x32xf32>, %b: memref<32x64xf32>, %bias: memref<64xf32>, %c: memref<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %sums = memref.alloc() : memref<64x64xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<64x64xf32>)
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x64xf32>) outs(%sums : memref<64x64xf32>)
  linalg.generic {indexing_maps = [#ij, #j, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%sums, %bias : memref<64x64xf32>, memref<64xf32>) outs(%c : memref<64x64xf32>) {
  ^bb0(%s: f32, %t: f32, %o: f32):
    %0 = arith.addf %s, %t : f32
    %1 = arith.maximumf %0, %zero : f32
    linalg.yield %1 : f32
  }
  return
}

// An operand of the product is not overwritten while other blocks read it.
// CHECK-LABEL: func.func @residual(
// CHECK:         } {jit.kernel = "product"}
// CHECK:         } {jit.kernel = "pointwise"}
func.func @residual(%a: memref<64x64xf32>, %b: memref<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %sums = memref.alloc() : memref<64x64xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<64x64xf32>)
  linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%sums : memref<64x64xf32>)
  linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%sums : memref<64x64xf32>) outs(%a : memref<64x64xf32>) {
  ^bb0(%s: f32, %o: f32):
    %0 = arith.addf %s, %o : f32
    linalg.yield %0 : f32
  }
  return
}

// A convolution is a product of the image's windows and the filters.
// CHECK-LABEL: func.func @convolution(
// CHECK:         scf.for %{{.*}} = %c0{{.*}} to %c2{{.*}} step %c1
// CHECK:         } {jit.kernel = "product"}
func.func @convolution(%x: memref<2x3x10x10xf32>, %w: memref<32x3x3x3xf32>, %y: memref<2x32x8x8xf32>) {
  linalg.conv_2d_nchw_fchw ins(%x, %w : memref<2x3x10x10xf32>, memref<32x3x3x3xf32>) outs(%y : memref<2x32x8x8xf32>)
  return
}

// A sum of two products: one of them goes on with it, the other one is in memory by then.
// CHECK-LABEL: func.func @sum(
// CHECK:         gpu.launch
// CHECK:           memref.store %{{.*}}, %[[SECOND:alloc[_0-9]*]][
// CHECK:         } {jit.kernel = "product"}
// CHECK:         gpu.launch
// CHECK:           memref.load %[[SECOND]][
// CHECK:           memref.store %{{.*}}, %arg3[
// CHECK:         } {jit.kernel = "product"}
// CHECK-NOT:     gpu.launch
func.func @sum(%a: memref<64x32xf32>, %b: memref<32x64xf32>, %c: memref<64x32xf32>, %d: memref<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%d : memref<64x64xf32>)
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x64xf32>) outs(%d : memref<64x64xf32>)
  %sums = memref.alloc() : memref<64x64xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<64x64xf32>)
  linalg.matmul ins(%c, %b : memref<64x32xf32>, memref<32x64xf32>) outs(%sums : memref<64x64xf32>)
  linalg.generic {indexing_maps = [#ij, #ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%d, %sums : memref<64x64xf32>, memref<64x64xf32>) outs(%d : memref<64x64xf32>) {
  ^bb0(%s: f32, %t: f32, %o: f32):
    %0 = arith.addf %s, %t : f32
    linalg.yield %0 : f32
  }
  return
}
