// RUN: jit-opt %s --jit-gpu-map-kernels="warpgroup-products multiprocessors=1" | FileCheck %s
// RUN: jit-opt %s --jit-gpu-map-kernels | FileCheck %s --check-prefix=PLAIN

// Groups of four warps multiply what the device copies by itself: 128 rows and 256 columns of a block, four slices of 64 ahead,
// barriers that count 48 KiB of a slice. One thread copies; the second operand's columns lie side by side, in boxes of 64.
// PLAIN-LABEL: func.func @product(
// PLAIN-NOT:     nvvm
// PLAIN:         jit.kernel = "mma"
// CHECK-LABEL: func.func @product(
// CHECK:         %[[BYTES:.*]] = arith.constant 197696 : i32
// CHECK:         gpu.launch blocks({{.*}}) in (%{{.*}} = %c2{{.*}}) threads({{.*}}) in (%{{.*}} = %c384{{.*}}dynamic_shared_memory_size %[[BYTES]]
// CHECK:           memref.reinterpret_cast %arg0 to offset: [0], sizes: [1, 256, 320], strides: [81920, 320, 1]
// CHECK:           nvgpu.tma.create.descriptor %{{.*}} box[%c1{{.*}}, %c128{{.*}}, %c64{{.*}}] : memref<*xf16> -> <tensor = memref<1x128x64xf16, #gpu.address_space<workgroup>>, swizzle = swizzle_128b
// CHECK:           memref.reinterpret_cast %arg1 to offset: [0], sizes: [1, 320, 256], strides: [81920, 256, 1]
// CHECK:           nvgpu.tma.create.descriptor %{{.*}} box[%c1{{.*}}, %c64{{.*}}, %c64{{.*}}]
// CHECK-COUNT-8:   nvvm.mbarrier.init
// CHECK:           nvvm.fence.mbarrier.init
// CHECK:           gpu.barrier
// CHECK:           nvvm.setmaxregister decrease 40
// CHECK:           scf.for
// CHECK:             nvvm.mbarrier.try_wait.parity
// CHECK:             %[[TX:.*]] = arith.constant 49152 : i32
// CHECK:             nvvm.mbarrier.arrive.expect_tx %[[FULL:.*]], %[[TX]]
// CHECK-COUNT-5:     nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %[[FULL]], box
// CHECK-NOT:         nvvm.cp.async
// CHECK:           nvvm.setmaxregister increase 232
// CHECK:           nvvm.mbarrier.try_wait.parity
// CHECK:           nvvm.wgmma.fence.aligned
// CHECK:           nvvm.wgmma.mma_async {{.*}} <m = 64, n = 256, k = 16>, D[<f32>, <zero>], A[<f16>, <one>, <row>], B[<f16>, <one>, <row>]
// CHECK-COUNT-3:   nvvm.wgmma.mma_async {{.*}} D[<f32>, <one>]
// CHECK:           scf.for
// CHECK:             nvvm.mbarrier.try_wait.parity
// CHECK:             nvvm.wgmma.fence.aligned
// CHECK-COUNT-4:     nvvm.wgmma.mma_async {{.*}} D[<f32>, <one>]
// CHECK:             nvvm.wgmma.commit.group.sync.aligned
// CHECK:             nvvm.wgmma.wait.group.sync.aligned 1
// CHECK:             nvvm.mbarrier.arrive
// CHECK:           nvvm.wgmma.wait.group.sync.aligned 0
// CHECK:           arith.truncf
// CHECK:           vector.store %{{.*}}, %arg2{{.*}} vector<2xf16>
// CHECK:         jit.kernel = "wgmma"
#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>
#ij = affine_map<(i, j) -> (i, j)>
func.func @product(%a: memref<256x320xf16>, %b: memref<320x256xf16>, %c: memref<256x256xf16>) {
  %zero = arith.constant 0.0 : f32
  %sums = memref.alloc() : memref<256x256xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<256x256xf32>)
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<256x320xf16>, memref<320x256xf16>) outs(%sums : memref<256x256xf32>) {
  ^bb0(%x: f16, %y: f16, %o: f32):
    %0 = arith.extf %x : f16 to f32
    %1 = arith.extf %y : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  }
  linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%sums : memref<256x256xf32>) outs(%c : memref<256x256xf16>) {
  ^bb0(%s: f32, %o: f16):
    %0 = arith.truncf %s : f32 to f16
    linalg.yield %0 : f16
  }
  return
}

// A first operand by rows, a second one by summands. Two dimensions that lie one behind the other are one.
// CHECK-LABEL: func.func @batches(
// CHECK:         memref.reinterpret_cast %arg0 to offset: [0], sizes: [6, 72, 80], strides: [5760, 80, 1]
// CHECK:         memref.reinterpret_cast %arg1 to offset: [0], sizes: [6, 100, 72], strides: [7200, 72, 1]
// CHECK:         nvvm.wgmma.mma_async {{.*}} <m = 64, n = 128, k = 16>, D[<f32>, <zero>], A[<bf16>, <one>, <col>], B[<bf16>, <one>, <col>]
#ba = affine_map<(s, t, i, j, k) -> (s, t, k, i)>
#bb = affine_map<(s, t, i, j, k) -> (s, t, j, k)>
#bc = affine_map<(s, t, i, j, k) -> (s, t, i, j)>
func.func @batches(%a: memref<2x3x72x80xbf16>, %b: memref<2x3x100x72xbf16>, %c: memref<2x3x80x100xf32>) {
  linalg.generic {indexing_maps = [#ba, #bb, #bc], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<2x3x72x80xbf16>, memref<2x3x100x72xbf16>) outs(%c : memref<2x3x80x100xf32>) {
  ^bb0(%x: bf16, %y: bf16, %o: f32):
    %0 = arith.extf %x : bf16 to f32
    %1 = arith.extf %y : bf16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  }
  return
}
