// RUN: jit-opt %s --jit-gpu-map-kernels | FileCheck %s

// What writes a product's start to its output, a bias here, is done where the sums are.
#spread = affine_map<(i, j) -> (j)>
#each = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: func.func @bias(
// CHECK-NOT:     "pointwise"
// CHECK:         gpu.launch
// CHECK-NOT:       memref.load %arg3
// CHECK:           %[[BIAS:.*]] = memref.load %arg2[%{{.*}}] {jit.broadcast}
// CHECK:           arith.addf %[[BIAS]], %{{.*}}
// CHECK:           memref.store %{{.*}}, %arg3
// CHECK:         } {jit.kernel = "product"}
// CHECK-NOT:     gpu.launch
func.func @bias(%a: memref<64x32xf32>, %b: memref<32x64xf32>, %bias: memref<64xf32>, %c: memref<64x64xf32>) {
  linalg.generic {indexing_maps = [#spread, #each], iterator_types = ["parallel", "parallel"]}
      ins(%bias : memref<64xf32>) outs(%c : memref<64x64xf32>) {
  ^bb0(%in: f32, %o: f32):
    linalg.yield %in : f32
  }
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

// Not where the bias is another one by the time that the sums are there.
// CHECK-LABEL: func.func @changes(
// CHECK:         } {jit.kernel = "pointwise"}
// CHECK:         } {jit.kernel = "pointwise"}
// CHECK:         } {jit.kernel = "product"}
func.func @changes(%a: memref<64x32xf32>, %b: memref<32x64xf32>, %bias: memref<64xf32>, %c: memref<64x64xf32>) {
  %one = arith.constant 1.0 : f32
  linalg.generic {indexing_maps = [#spread, #each], iterator_types = ["parallel", "parallel"]}
      ins(%bias : memref<64xf32>) outs(%c : memref<64x64xf32>) {
  ^bb0(%in: f32, %o: f32):
    linalg.yield %in : f32
  }
  linalg.fill ins(%one : f32) outs(%bias : memref<64xf32>)
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

// Nor where it adds to what is there.
// CHECK-LABEL: func.func @adds(
// CHECK:         } {jit.kernel = "pointwise"}
// CHECK:         } {jit.kernel = "product"}
func.func @adds(%a: memref<64x32xf32>, %b: memref<32x64xf32>, %bias: memref<64xf32>, %c: memref<64x64xf32>) {
  linalg.generic {indexing_maps = [#spread, #each], iterator_types = ["parallel", "parallel"]}
      ins(%bias : memref<64xf32>) outs(%c : memref<64x64xf32>) {
  ^bb0(%in: f32, %o: f32):
    %0 = arith.addf %in, %o : f32
    linalg.yield %0 : f32
  }
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x64xf32>) outs(%c : memref<64x64xf32>)
  return
}
