// RUN: jit-opt %s --jit-gpu-map-kernels | FileCheck %s

// Blocks of keys behind all queries of a block are left out where a mask chooses between a score and minus infinity added to it, too.

#s = affine_map<(b, i, j, k) -> (b, i, j)>
#x = affine_map<(b, i, j, k) -> (b, i, k)>
#y = affine_map<(b, i, j, k) -> (b, j, k)>
#z = affine_map<(b, i, j, k) -> (b, k, j)>
#bij = affine_map<(b, i, j) -> (b, i, j)>
#bi = affine_map<(b, i, j) -> (b, i)>
#ij = affine_map<(b, i, j) -> (i, j)>
#i = affine_map<(i) -> (i)>
#point = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i, 0)>
#column = affine_map<(i, j) -> (j)>

// CHECK-LABEL: func.func @added(
// CHECK:         gpu.launch
// CHECK:           %[[SEEN:.*]] = arith.addi %{{.*}}, %c64
// CHECK:           %[[UP:.*]] = arith.addi %[[SEEN]], %c63
// CHECK:           %[[BLOCKS:.*]] = arith.divui %[[UP]], %c64
// CHECK:           %[[END:.*]] = arith.minui %[[BLOCKS]], %c3
// CHECK:           scf.for %{{.*}} = %c0{{.*}} to %[[END]]
// CHECK:         } {jit.kernel = "attention"
func.func @added(%q: memref<4x100x64xf16>, %k: memref<4x130x64xf16>, %v: memref<4x130x64xf16>, %out: memref<4x100x64xf32>) {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %scores = memref.alloc() : memref<4x100x130xf32>
  linalg.fill ins(%zero : f32) outs(%scores : memref<4x100x130xf32>)
  linalg.generic {indexing_maps = [#x, #y, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : memref<4x100x64xf16>, memref<4x130x64xf16>) outs(%scores : memref<4x100x130xf32>) {
  ^bb0(%l: f16, %r: f16, %o: f32):
    %0 = arith.extf %l : f16 to f32
    %1 = arith.extf %r : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  }
  %queries = memref.alloc() : memref<100xi64>
  %keys = memref.alloc() : memref<130xi64>
  linalg.generic {indexing_maps = [#i], iterator_types = ["parallel"]} outs(%queries : memref<100xi64>) {
  ^bb0(%o: i64):
    %0 = linalg.index 0 : index
    %1 = arith.index_cast %0 : index to i64
    linalg.yield %1 : i64
  }
  linalg.generic {indexing_maps = [#i], iterator_types = ["parallel"]} outs(%keys : memref<130xi64>) {
  ^bb0(%o: i64):
    %0 = linalg.index 0 : index
    %1 = arith.index_cast %0 : index to i64
    linalg.yield %1 : i64
  }
  %rows = memref.expand_shape %queries [[0, 1]] output_shape [100, 1] : memref<100xi64> into memref<100x1xi64>
  %mask = memref.alloc() : memref<100x130xi1>
  linalg.generic {indexing_maps = [#row, #column, #point], iterator_types = ["parallel", "parallel"]}
      ins(%rows, %keys : memref<100x1xi64>, memref<130xi64>) outs(%mask : memref<100x130xi1>) {
  ^bb0(%r: i64, %c: i64, %o: i1):
    %0 = arith.cmpi sle, %c, %r : i64
    linalg.yield %0 : i1
  }
  linalg.generic {indexing_maps = [#ij, #bij, #bij], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%mask, %scores : memref<100x130xi1>, memref<4x100x130xf32>) outs(%scores : memref<4x100x130xf32>) {
  ^bb0(%m: i1, %a: f32, %o: f32):
    %0 = arith.addf %a, %low : f32
    %1 = arith.select %m, %a, %0 : f32
    linalg.yield %1 : f32
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
  linalg.fill ins(%zero : f32) outs(%out : memref<4x100x64xf32>)
  linalg.generic {indexing_maps = [#x, #z, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%shares, %v : memref<4x100x130xf16>, memref<4x130x64xf16>) outs(%out : memref<4x100x64xf32>) {
  ^bb0(%l: f16, %r: f16, %o: f32):
    %0 = arith.extf %l : f16 to f32
    %1 = arith.extf %r : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  }
  return
}
