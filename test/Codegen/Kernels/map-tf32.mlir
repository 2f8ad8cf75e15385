// RUN: jit-opt %s --jit-gpu-map-kernels=tf32 | FileCheck %s
// RUN: jit-opt %s --jit-gpu-map-kernels | FileCheck %s --check-prefix=EXACT

#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>

// Where it is allowed, products of f32 go to tensor cores: steps of 8 summands. Matrices of a factor whose summands lie side by side
// are loaded together, floats of the other one by one; both were copied, and are rounded where they are loaded.
// EXACT-NOT:     nvgpu.mma.sync
// CHECK-LABEL: func.func @product(
// CHECK:         gpu.launch {{.*}} workgroup(%[[A:.*]] : memref<3x64x16xf32, #gpu.address_space<workgroup>>, %[[B:.*]] : memref<3x16x64xf32,
// CHECK:           nvgpu.device_async_copy %arg0[{{.*}}], %[[A]][{{.*}}], 4 {bypassL1}
// CHECK:           %[[FOUR:.*]] = nvgpu.ldmatrix %[[A]][{{.*}}] {numTiles = 4 : i32, transpose = false} : memref<3x64x16xf32, #gpu.address_space<workgroup>> -> vector<4x1xf32>
// CHECK:           %[[FIRST:.*]] = vector.extract %[[FOUR]][0, 0]
// CHECK:           %[[ROUNDED:.*]] = nvvm.convert.float.to.tf32 %[[FIRST]] {rnd = #nvvm.fp_rnd_mode<rna>}
// CHECK:           arith.bitcast %[[ROUNDED]] : i32 to f32
// CHECK-NOT:       nvgpu.ldmatrix %[[B]]
// CHECK:           %[[ONE:.*]] = memref.load %[[B]]
// CHECK:           nvvm.convert.float.to.tf32 %[[ONE]] {rnd = #nvvm.fp_rnd_mode<rna>}
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

// What goes through registers on its way to shared memory is rounded there: none of it where the matrices are loaded.
// CHECK-LABEL: func.func @gathered(
// CHECK:         gpu.launch {{.*}} workgroup(%[[A:.*]] : memref<3x64x16xf32, #gpu.address_space<workgroup>>, %[[B:.*]] : memref<3x64x16xf32,
// CHECK-COUNT-4:   nvvm.convert.float.to.tf32
// CHECK:           vector.store %{{.*}}, %[[A]]
// CHECK-COUNT-4:   nvvm.convert.float.to.tf32
// CHECK:           vector.store %{{.*}}, %[[B]]
// CHECK:           nvgpu.ldmatrix %[[A]]
// CHECK-NOT:       nvvm.convert.float.to.tf32
// CHECK:           nvgpu.ldmatrix %[[B]]
// CHECK-NOT:       nvvm.convert.float.to.tf32
// CHECK:           nvgpu.mma.sync
#bt = affine_map<(i, j, k) -> (j, k)>
func.func @gathered(%a: memref<64x33xf32>, %b: memref<64x33xf32>, %c: memref<64x64xf32>) {
  linalg.generic {indexing_maps = [#a, #bt, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<64x33xf32>, memref<64x33xf32>) outs(%c : memref<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  }
  return
}
