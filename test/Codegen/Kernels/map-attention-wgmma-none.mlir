// RUN: jit-opt %s --jit-gpu-map-kernels="warpgroup-products" | FileCheck %s

#s = affine_map<(b, i, j, k) -> (b, i, j)>
#x = affine_map<(b, i, j, k) -> (b, i, k)>
#y = affine_map<(b, i, j, k) -> (b, k, j)>
#bij = affine_map<(b, i, j) -> (b, i, j)>
#bi = affine_map<(b, i, j) -> (b, i)>
#ij = affine_map<(b, i, j) -> (i, j)>

// Blocks of 128 queries would be mostly filled up; so would those of a few keys.
// CHECK-LABEL: func.func @few_queries(
// CHECK-NOT:     nvvm
// CHECK:         nvgpu.mma.sync
// CHECK:         jit.kernel = "attention"
func.func @few_queries(%q: memref<4x40x64xf16>, %k: memref<4x130x64xf16>, %v: memref<4x130x64xf16>, %mask: memref<40x130xf32>, %y: memref<4x40x64xf16>) {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %t = memref.alloc() : memref<4x64x130xf16>
  linalg.transpose ins(%k : memref<4x130x64xf16>) outs(%t : memref<4x64x130xf16>) permutation = [0, 2, 1]
  %scores = memref.alloc() : memref<4x40x130xf32>
  linalg.fill ins(%zero : f32) outs(%scores : memref<4x40x130xf32>)
  linalg.generic {indexing_maps = [#x, #y, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %t : memref<4x40x64xf16>, memref<4x64x130xf16>) outs(%scores : memref<4x40x130xf32>) {
  ^bb0(%l: f16, %r: f16, %o: f32):
    %0 = arith.extf %l : f16 to f32
    %1 = arith.extf %r : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  }
  linalg.generic {indexing_maps = [#bij, #ij, #bij], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%scores, %mask : memref<4x40x130xf32>, memref<40x130xf32>) outs(%scores : memref<4x40x130xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %0 = arith.addf %a, %m : f32
    linalg.yield %0 : f32
  }
  %shares = memref.alloc() : memref<4x40x130xf16>
  %max = memref.alloc() : memref<4x40xf32>
  linalg.fill ins(%low : f32) outs(%max : memref<4x40xf32>)
  linalg.reduce { arith.maximumf } ins(%scores : memref<4x40x130xf32>) outs(%max : memref<4x40xf32>) dimensions = [2]
  %e = memref.alloc() : memref<4x40x130xf32>
  linalg.generic {indexing_maps = [#bij, #bi, #bij], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%scores, %max : memref<4x40x130xf32>, memref<4x40xf32>) outs(%e : memref<4x40x130xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %0 = arith.subf %a, %m : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  }
  %sum = memref.alloc() : memref<4x40xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<4x40xf32>)
  linalg.reduce { arith.addf } ins(%e : memref<4x40x130xf32>) outs(%sum : memref<4x40xf32>) dimensions = [2]
  linalg.generic {indexing_maps = [#bij, #bi, #bij], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%e, %sum : memref<4x40x130xf32>, memref<4x40xf32>) outs(%shares : memref<4x40x130xf16>) {
  ^bb0(%a: f32, %s: f32, %o: f16):
    %0 = arith.divf %a, %s : f32
    %1 = arith.truncf %0 : f32 to f16
    linalg.yield %1 : f16
  }
  %sums = memref.alloc() : memref<4x40x64xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<4x40x64xf32>)
  linalg.generic {indexing_maps = [#x, #y, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%shares, %v : memref<4x40x130xf16>, memref<4x130x64xf16>) outs(%sums : memref<4x40x64xf32>) {
  ^bb0(%l: f16, %r: f16, %o: f32):
    %0 = arith.extf %l : f16 to f32
    %1 = arith.extf %r : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  }
  linalg.generic {indexing_maps = [#bij, #bij], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%sums : memref<4x40x64xf32>) outs(%y : memref<4x40x64xf16>) {
  ^bb0(%s: f32, %o: f16):
    %0 = arith.truncf %s : f32 to f16
    linalg.yield %0 : f16
  }
  return
}

// The device copies rows that are a multiple of 16 bytes apart.
// CHECK-LABEL: func.func @strides(
// CHECK-NOT:     nvvm
// CHECK:         nvgpu.mma.sync
// CHECK:         jit.kernel = "attention"
func.func @strides(%q: memref<4x100x64xf16>, %k: memref<4x130x64xf16, strided<[8580, 66, 1]>>, %v: memref<4x130x64xf16>, %mask: memref<100x130xf32>, %y: memref<4x100x64xf16>) {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %t = memref.alloc() : memref<4x64x130xf16>
  linalg.transpose ins(%k : memref<4x130x64xf16, strided<[8580, 66, 1]>>) outs(%t : memref<4x64x130xf16>) permutation = [0, 2, 1]
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
