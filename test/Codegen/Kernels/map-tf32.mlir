// RUN: jit-opt %s --jit-gpu-map-kernels=tf32 | FileCheck %s
// RUN: jit-opt %s --jit-gpu-map-kernels | FileCheck %s --check-prefix=EXACT

#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>

// Where it is allowed, products of f32 go to tensor cores: steps of 8 summands, whose factors are loaded one by one.
// EXACT-NOT:     nvgpu.mma.sync
// CHECK-LABEL: func.func @product(
// CHECK:         gpu.launch {{.*}} workgroup(%[[A:.*]] : memref<3x64x16xf32, #gpu.address_space<workgroup>>, %[[B:.*]] : memref<3x16x64xf32,
// CHECK:           nvgpu.device_async_copy %arg0[{{.*}}], %[[A]][{{.*}}], 4 {bypassL1}
// CHECK:           memref.load %[[A]]
// CHECK:           memref.load %[[B]]
// CHECK-NOT:       nvgpu.ldmatrix
// CHECK-COUNT-16:  nvgpu.mma.sync{{.*}} {mmaShape = [16, 8, 8], tf32Enabled} : (vector<4x1xf32>, vector<2x1xf32>, vector<2x2xf32>) -> vector<2x2xf32>
// CHECK-NOT:       nvgpu.mma.sync
// CHECK:         } {jit.kernel = "mma"}
func.func @product(%a: memref<256x128xf32>, %b: memref<128x128xf32>, %c: memref<256x128xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<256x128xf32>)
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<256x128xf32>, memref<128x128xf32>) outs(%c : memref<256x128xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  }
  return
}
