// RUN: jit-opt %s --jit-gpu-map-kernels | FileCheck %s
// RUN: jit-opt %s --jit-gpu-map-kernels=multiprocessors=1 | FileCheck %s --check-prefix=LARGE

// Halves go to tensor cores: tiles of 64 by 64, three slices of 32 in shared memory, two of them on their way while the third
// is multiplied; sums in f32, two of which are stored at once. The second operand's rows are what the instruction wants as columns: it is transposed as it is loaded.
// CHECK-LABEL: func.func @product(
// CHECK:         gpu.launch {{.*}} in (%{{.*}} = %c8{{.*}}) threads({{.*}}) in (%{{.*}} = %c128
// CHECK-SAME:      workgroup(%[[A:.*]] : memref<3x64x32xf16, #gpu.address_space<workgroup>>, %[[B:.*]] : memref<3x32x64xf16, #gpu.address_space<workgroup>>)
// CHECK:           nvgpu.device_async_copy %arg0[{{.*}}], %[[A]][{{.*}}], 8 {bypassL1}
// CHECK:           nvgpu.device_async_create_group
// CHECK:           nvgpu.device_async_create_group
// CHECK:           scf.for {{.*}} to %c4
// CHECK:             nvgpu.device_async_wait %{{.*}} {numGroups = 1 : i32}
// CHECK:             gpu.barrier
// CHECK:             nvgpu.device_async_copy
// CHECK:             nvgpu.ldmatrix %[[A]]{{.*}} {numTiles = 4 : i32, transpose = false}
// CHECK:             nvgpu.ldmatrix %[[B]]{{.*}} {numTiles = 4 : i32, transpose = true}
// CHECK-COUNT-16:    nvgpu.mma.sync{{.*}} {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
// CHECK-NOT:         nvgpu.mma.sync
// CHECK:           arith.truncf
// CHECK:           vector.store %{{.*}}, %arg2{{.*}} vector<2xf16>
// CHECK:         } {jit.kernel = "mma"}
// CHECK-NOT:     gpu.launch

// Larger tiles where there is work for all of the device.
// LARGE-LABEL: func.func @product(
// LARGE:         threads({{.*}}) in (%{{.*}} = %c256
// LARGE-SAME:      memref<3x128x32xf16
#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>
#ij = affine_map<(i, j) -> (i, j)>
func.func @product(%a: memref<256x128xf16>, %b: memref<128x128xf16>, %c: memref<256x128xf16>) {
  %zero = arith.constant 0.0 : f32
  %sums = memref.alloc() : memref<256x128xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<256x128xf32>)
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<256x128xf16>, memref<128x128xf16>) outs(%sums : memref<256x128xf32>) {
  ^bb0(%x: f16, %y: f16, %o: f32):
    %0 = arith.extf %x : f16 to f32
    %1 = arith.extf %y : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  }
  linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%sums : memref<256x128xf32>) outs(%c : memref<256x128xf16>) {
  ^bb0(%s: f32, %o: f16):
    %0 = arith.truncf %s : f32 to f16
    linalg.yield %0 : f16
  }
  return
}

// Rows of 17 elements are not aligned: what they hold is gathered.
// CHECK-LABEL: func.func @gathered(
// CHECK-NOT:     nvgpu.device_async_copy %arg0
// CHECK:         vector.store %{{.*}} : memref<3x64x32xbf16, #gpu.address_space<workgroup>>, vector<8xbf16>
// CHECK:         nvgpu.mma.sync
func.func @gathered(%a: memref<40x17xbf16>, %b: memref<17x24xbf16>, %c: memref<40x24xf32>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<40x17xbf16>, memref<17x24xbf16>) outs(%c : memref<40x24xf32>) {
  ^bb0(%x: bf16, %y: bf16, %o: f32):
    %0 = arith.extf %x : bf16 to f32
    %1 = arith.extf %y : bf16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  }
  return
}
