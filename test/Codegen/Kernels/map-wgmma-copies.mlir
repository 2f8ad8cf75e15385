// RUN: jit-opt %s --jit-gpu-map-products="multiprocessors=4 warpgroup-products" | FileCheck %s
// RUN: jit-opt %s --jit-gpu-map-products="multiprocessors=4 warpgroup-products tf32" | FileCheck %s --check-prefix=TF32

// Threads copy what lies in no matrix to where groups of four warps multiply it: an image whose channels lie side by side. Four
// stages of 64 summands; two slices are on their way, and the products of one go on, while the next one's begin.
// CHECK-LABEL: func.func @image(
// CHECK-COUNT-2: {jit.kernel = "channels"}
// CHECK:         gpu.launch
// CHECK-SAME:      dynamic_shared_memory_size
// CHECK:           memref.view {{.*}} to memref<4x128x64xf16, #gpu.address_space<workgroup>>
// CHECK:           memref.view {{.*}} to memref<4x64x64xf16, #gpu.address_space<workgroup>>
// CHECK:           nvgpu.device_async_copy
// CHECK:           nvgpu.device_async_create_group
// CHECK:           nvgpu.device_async_create_group
// CHECK:           scf.for
// CHECK:             nvgpu.device_async_wait {{.*}} {numGroups = 1 : i32}
// CHECK-NEXT:        nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
// CHECK-NEXT:        gpu.barrier
// CHECK:             nvgpu.device_async_copy
// CHECK:             nvvm.wgmma.fence.aligned
// CHECK-COUNT-4:     nvvm.wgmma.mma_async
// CHECK:             nvvm.wgmma.commit.group.sync.aligned
// CHECK:             nvvm.wgmma.wait.group.sync.aligned 1
// CHECK:             scf.yield
// CHECK:           nvvm.wgmma.wait.group.sync.aligned 0
// CHECK:         jit.kernel = "wgmma"
// CHECK-NOT:     linalg
#x = affine_map<(n, f, h, w, c, i, j) -> (n, c, h + i, w + j)>
#f = affine_map<(n, f, h, w, c, i, j) -> (f, c, i, j)>
#y = affine_map<(n, f, h, w, c, i, j) -> (n, f, h, w)>
func.func @image(%x: memref<2x16x18x18xf16>, %f: memref<64x16x3x3xf16>, %y: memref<2x64x16x16xf32>) {
  linalg.generic {indexing_maps = [#x, #f, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %f : memref<2x16x18x18xf16>, memref<64x16x3x3xf16>) outs(%y : memref<2x64x16x16xf32>) {
  ^bb0(%l: f16, %r: f16, %o: f32):
    %0 = arith.extf %l : f16 to f32
    %1 = arith.extf %r : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  }
  return
}

// Filters that fill the rows of a tile are the first factor: neighbours in the image are neighbours in the result.
// CHECK-LABEL: func.func @many(
// CHECK:         %[[X:.*]] = memref.alloc() : memref<2x18x18x16xf16>
// CHECK:         %[[W:.*]] = memref.alloc() : memref<128x3x3x16xf16>
// CHECK:         %[[LEFT:.*]] = memref.view {{.*}} to memref<4x128x64xf16, #gpu.address_space<workgroup>>
// CHECK:         nvgpu.device_async_copy %[[W]][{{.*}}], %[[LEFT]]
// CHECK:         nvgpu.device_async_copy %[[X]]
// CHECK:         jit.kernel = "wgmma"
func.func @many(%x: memref<2x16x18x18xf16>, %f: memref<128x16x3x3xf16>, %y: memref<2x128x16x16xf32>) {
  linalg.generic {indexing_maps = [#x, #f, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %f : memref<2x16x18x18xf16>, memref<128x16x3x3xf16>) outs(%y : memref<2x128x16x16xf32>) {
  ^bb0(%l: f16, %r: f16, %o: f32):
    %0 = arith.extf %l : f16 to f32
    %1 = arith.extf %r : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  }
  return
}

// Few filters, and elements that are gathered, are for single warps.
// CHECK-LABEL: func.func @narrow(
// CHECK-NOT:     wgmma
// CHECK:         jit.kernel = "mma"
func.func @narrow(%x: memref<2x16x18x18xf16>, %f: memref<32x16x3x3xf16>, %y: memref<2x32x16x16xf32>) {
  linalg.generic {indexing_maps = [#x, #f, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %f : memref<2x16x18x18xf16>, memref<32x16x3x3xf16>) outs(%y : memref<2x32x16x16xf32>) {
  ^bb0(%l: f16, %r: f16, %o: f32):
    %0 = arith.extf %l : f16 to f32
    %1 = arith.extf %r : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  }
  return
}

// CHECK-LABEL: func.func @gathered(
// CHECK-NOT:     wgmma
// CHECK:         jit.kernel = "mma"
func.func @gathered(%x: memref<2x2x18x18xf16>, %f: memref<64x2x3x3xf16>, %y: memref<2x64x16x16xf32>) {
  linalg.generic {indexing_maps = [#x, #f, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %f : memref<2x2x18x18xf16>, memref<64x2x3x3xf16>) outs(%y : memref<2x64x16x16xf32>) {
  ^bb0(%l: f16, %r: f16, %o: f32):
    %0 = arith.extf %l : f16 to f32
    %1 = arith.extf %r : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  }
  return
}

// Floats where tf32 is allowed: 32 of them in a row, 8 in a step, rounded as their channels are stored side by side. Other products of
// floats are not: a group of warps cuts off what is no tf32.
// CHECK-LABEL: func.func @floats(
// CHECK-NOT:     wgmma
// CHECK:         jit.kernel = "product"
// TF32-LABEL:  func.func @floats(
// TF32-COUNT-4:    nvvm.convert.float.to.tf32
// TF32:          {jit.kernel = "channels"}
// TF32-COUNT-4:    nvvm.convert.float.to.tf32
// TF32:          {jit.kernel = "channels"}
// TF32-NOT:      nvvm.convert.float.to.tf32
// TF32:            memref.view {{.*}} to memref<4x128x32xf32, #gpu.address_space<workgroup>>
// TF32:            memref.view {{.*}} to memref<4x64x32xf32, #gpu.address_space<workgroup>>
// TF32:            scf.for
// TF32-COUNT-4:      nvvm.wgmma.mma_async {{.*}} <m = 64, n = 64, k = 8>, D[<f32>, <one>], A[<tf32>, <one>, <row>], B[<tf32>, <one>, <col>]
// TF32:              scf.yield
// TF32:          jit.kernel = "wgmma"
func.func @floats(%x: memref<2x16x18x18xf32>, %f: memref<64x16x3x3xf32>, %y: memref<2x64x16x16xf32>) {
  linalg.generic {indexing_maps = [#x, #f, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %f : memref<2x16x18x18xf32>, memref<64x16x3x3xf32>) outs(%y : memref<2x64x16x16xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %0 = arith.mulf %l, %r : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// TF32-LABEL:  func.func @matrices(
// TF32-NOT:      wgmma
// TF32:          jit.kernel = "mma"
#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (j, k)>
#c = affine_map<(i, j, k) -> (i, j)>
func.func @matrices(%a: memref<256x64xf32>, %b: memref<128x64xf32>, %c: memref<256x128xf32>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<256x64xf32>, memref<128x64xf32>) outs(%c : memref<256x128xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  }
  return
}
