// RUN: jit-opt %s --jit-gpu-map-attention="warpgroup-products" | FileCheck %s

// Heads that lie side by side in the rows of a projection: the rows of a batch are one map, in which a head begins at its place.
// CHECK-LABEL: func.func @heads(
// CHECK:         gpu.launch
// CHECK:           %[[PLACE:.*]] = arith.remui %[[BATCH:.*]], %c3
// CHECK:           %[[START:.*]] = arith.muli %[[PLACE]], %c64
// CHECK:           %[[OUTER:.*]] = arith.divui %[[BATCH]], %c3
// CHECK:           memref.reinterpret_cast %arg0 to offset: [0], sizes: [2, 100, 192], strides: [19200, 192, 1]
// CHECK:           memref.reinterpret_cast %arg1 to offset: [0], sizes: [2, 130, 192], strides: [24960, 192, 1]
// CHECK:           memref.reinterpret_cast %arg2 to offset: [0], sizes: [2, 130, 192], strides: [24960, 192, 1]
// CHECK:           nvvm.mbarrier.arrive.expect_tx
// CHECK:           arith.addi %{{.*}}, %[[START]]
// CHECK:           arith.index_cast %[[OUTER]] : index to i32
// CHECK:           nvvm.cp.async.bulk.tensor.shared.cluster.global
// CHECK:         jit.kernel = "attention"
#q = affine_map<(a, b, i, j, k) -> (a, b, i, k)>
#kt = affine_map<(a, b, i, j, k) -> (a, b, j, k)>
#v = affine_map<(a, b, i, j, k) -> (a, b, k, j)>
#s = affine_map<(a, b, i, j, k) -> (a, b, i, j)>
#all = affine_map<(a, b, i, j) -> (a, b, i, j)>
#row = affine_map<(a, b, i, j) -> (a, b, i)>
func.func @heads(%q: memref<2x3x100x64xf16, strided<[19200, 64, 192, 1]>>, %k: memref<2x3x130x64xf16, strided<[24960, 64, 192, 1]>>,
    %v: memref<2x3x130x64xf16, strided<[24960, 64, 192, 1]>>, %out: memref<2x3x100x64xf32>) {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %scores = memref.alloc() : memref<2x3x100x130xf32>
  linalg.fill ins(%zero : f32) outs(%scores : memref<2x3x100x130xf32>)
  linalg.generic {indexing_maps = [#q, #kt, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : memref<2x3x100x64xf16, strided<[19200, 64, 192, 1]>>, memref<2x3x130x64xf16, strided<[24960, 64, 192, 1]>>)
      outs(%scores : memref<2x3x100x130xf32>) {
  ^bb0(%l: f16, %r: f16, %o: f32):
    %0 = arith.extf %l : f16 to f32
    %1 = arith.extf %r : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  }
  %shares = memref.alloc() : memref<2x3x100x130xf16>
  %max = memref.alloc() : memref<2x3x100xf32>
  linalg.fill ins(%low : f32) outs(%max : memref<2x3x100xf32>)
  linalg.reduce { arith.maximumf } ins(%scores : memref<2x3x100x130xf32>) outs(%max : memref<2x3x100xf32>) dimensions = [3]
  %e = memref.alloc() : memref<2x3x100x130xf32>
  linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%scores, %max : memref<2x3x100x130xf32>, memref<2x3x100xf32>) outs(%e : memref<2x3x100x130xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %0 = arith.subf %a, %m : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  }
  %sum = memref.alloc() : memref<2x3x100xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<2x3x100xf32>)
  linalg.reduce { arith.addf } ins(%e : memref<2x3x100x130xf32>) outs(%sum : memref<2x3x100xf32>) dimensions = [3]
  linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%e, %sum : memref<2x3x100x130xf32>, memref<2x3x100xf32>) outs(%shares : memref<2x3x100x130xf16>) {
  ^bb0(%a: f32, %s: f32, %o: f16):
    %0 = arith.divf %a, %s : f32
    %1 = arith.truncf %0 : f32 to f16
    linalg.yield %1 : f16
  }
  linalg.fill ins(%zero : f32) outs(%out : memref<2x3x100x64xf32>)
  linalg.generic {indexing_maps = [#q, #v, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%shares, %v : memref<2x3x100x130xf16>, memref<2x3x130x64xf16, strided<[24960, 64, 192, 1]>>) outs(%out : memref<2x3x100x64xf32>) {
  ^bb0(%l: f16, %r: f16, %o: f32):
    %0 = arith.extf %l : f16 to f32
    %1 = arith.extf %r : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  }
  return
}
