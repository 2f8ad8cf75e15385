// RUN: jit-opt %s --jit-gpu-map-kernels="warpgroup-products" | FileCheck %s

#s = affine_map<(b, i, j, k) -> (b, i, j)>
#x = affine_map<(b, i, j, k) -> (b, i, k)>
#y = affine_map<(b, i, j, k) -> (b, k, j)>
#bij = affine_map<(b, i, j) -> (b, i, j)>
#bi = affine_map<(b, i, j) -> (b, i)>
#ij = affine_map<(b, i, j) -> (i, j)>

// Groups of four warps: 128 queries a block, 64 a group, which come once; one thread copies keys and values, 128 of them at a time,
// two blocks ahead. Scores are one product of both factors in shared memory, from nothing on; results one of the shares in
// registers, which adds up. The mask is added to each score; those behind the last key are hidden in the last block alone.
// CHECK-LABEL: func.func @attention(
// CHECK-NOT:     memref.alloc
// CHECK:         gpu.launch {{.*}} in (%{{.*}} = %c4{{.*}}) threads({{.*}}) in (%{{.*}} = %c384{{.*}}dynamic_shared_memory_size %c83016
// CHECK:           memref.reinterpret_cast %arg0 to offset: [0], sizes: [4, 100, 64], strides: [6400, 64, 1]
// CHECK:           nvgpu.tma.create.descriptor %{{.*}} box[%c1{{.*}}, %c128{{.*}}, %c64{{.*}}]
// CHECK:           memref.reinterpret_cast %arg1 to offset: [0], sizes: [4, 130, 64], strides: [8320, 64, 1]
// CHECK:           memref.reinterpret_cast %arg2 to offset: [0], sizes: [4, 130, 64], strides: [8320, 64, 1]
// CHECK-COUNT-9:   nvvm.mbarrier.init
// CHECK:           nvvm.fence.mbarrier.init
// CHECK:           gpu.barrier
// CHECK:           nvvm.setmaxregister decrease 40
// CHECK:           nvvm.mbarrier.arrive.expect_tx %[[QUERIES:.*]], %c16384
// CHECK:           nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %[[QUERIES]], box
// CHECK:           scf.for {{.*}} to %c2
// CHECK-COUNT-2:     nvvm.cp.async.bulk.tensor.shared.cluster.global
// CHECK:           nvvm.setmaxregister increase 232
// CHECK:           nvvm.mbarrier.try_wait.parity
// CHECK:           scf.for {{.*}} to %c2
// CHECK:             nvvm.mbarrier.try_wait.parity
// CHECK:             llvm.inline_asm {{.*}}jit.group_product = array<i64: 128, 4, 0, 0, 0, 0>{{.*}}wgmma.fence.sync.aligned;
// CHECK:             nvvm.mbarrier.arrive
// CHECK:             memref.load %arg3
// CHECK:             scf.if
// CHECK:               arith.cmpi sgt
// CHECK:             arith.maximumf
// CHECK-COUNT-2:     gpu.shuffle xor
// CHECK:             math.fma
// CHECK:             math.exp2 %{{.*}} fastmath<afn>
// CHECK:             nvvm.mbarrier.try_wait.parity
// CHECK-COUNT-32:    vector.bitcast %{{.*}} : vector<2xf16> to vector<1xi32>
// CHECK:             llvm.inline_asm {{.*}}jit.group_product = array<i64: 64, 8, 0, 1, 1, 1>
// CHECK:             nvvm.mbarrier.arrive
// CHECK:             scf.yield
// CHECK:           arith.divf
// CHECK:           vector.store %{{.*}}, %arg4{{.*}} vector<2xf16>
// CHECK:         } {jit.kernel = "attention"}
// CHECK-NOT:     gpu.launch
func.func @attention(%q: memref<4x100x64xf16>, %k: memref<4x130x64xf16>, %v: memref<4x130x64xf16>, %mask: memref<100x130xf32>, %y: memref<4x100x64xf16>) {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %t = memref.alloc() : memref<4x64x130xf16>
  linalg.transpose ins(%k : memref<4x130x64xf16>) outs(%t : memref<4x64x130xf16>) permutation = [0, 2, 1]
  %scores = memref.alloc() : memref<4x100x130xf32>
  linalg.fill ins(%zero : f32) outs(%scores : memref<4x100x130xf32>)
  linalg.generic {indexing_maps = [#x, #y, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %t : memref<4x100x64xf16>, memref<4x64x130xf16>) outs(%scores : memref<4x100x130xf32>) {
  ^bb0(%l: f16, %r: f16, %o: f32):
    %0 = arith.extf %l : f16 to f32
    %1 = arith.extf %r : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  }
  linalg.generic {indexing_maps = [#bij, #ij, #bij], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%scores, %mask : memref<4x100x130xf32>, memref<100x130xf32>) outs(%scores : memref<4x100x130xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %0 = arith.addf %a, %m : f32
    linalg.yield %0 : f32
  }
  %shares = memref.alloc() : memref<4x100x130xf16>
  %max = memref.alloc() : memref<4x100xf32>
  linalg.fill ins(%low : f32) outs(%max : memref<4x100xf32>)
  linalg.reduce { arith.maximumf } ins(%scores : memref<4x100x130xf32>) outs(%max : memref<4x100xf32>) dimensions = [2]
  %e = memref.alloc() : memref<4x100x130xf32>
  linalg.generic {indexing_maps = [#bij, #bi, #bij], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%scores, %max : memref<4x100x130xf32>, memref<4x100xf32>) outs(%e : memref<4x100x130xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %0 = arith.subf %a, %m : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  }
  %sum = memref.alloc() : memref<4x100xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<4x100xf32>)
  linalg.reduce { arith.addf } ins(%e : memref<4x100x130xf32>) outs(%sum : memref<4x100xf32>) dimensions = [2]
  linalg.generic {indexing_maps = [#bij, #bi, #bij], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%e, %sum : memref<4x100x130xf32>, memref<4x100xf32>) outs(%shares : memref<4x100x130xf16>) {
  ^bb0(%a: f32, %s: f32, %o: f16):
    %0 = arith.divf %a, %s : f32
    %1 = arith.truncf %0 : f32 to f16
    linalg.yield %1 : f16
  }
  %sums = memref.alloc() : memref<4x100x64xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<4x100x64xf32>)
  linalg.generic {indexing_maps = [#x, #y, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%shares, %v : memref<4x100x130xf16>, memref<4x130x64xf16>) outs(%sums : memref<4x100x64xf32>) {
  ^bb0(%l: f16, %r: f16, %o: f32):
    %0 = arith.extf %l : f16 to f32
    %1 = arith.extf %r : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  }
  linalg.generic {indexing_maps = [#bij, #bij], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%sums : memref<4x100x64xf32>) outs(%y : memref<4x100x64xf16>) {
  ^bb0(%s: f32, %o: f16):
    %0 = arith.truncf %s : f32 to f16
    linalg.yield %0 : f16
  }
  return
}
