// RUN: jit-opt %s --jit-gpu-map-kernels | FileCheck %s --implicit-check-not="\"attention\""

// Attention that one kernel cannot do: three kernels.

#s = affine_map<(b, i, j, k) -> (b, i, j)>
#x = affine_map<(b, i, j, k) -> (b, i, k)>
#y = affine_map<(b, i, j, k) -> (b, k, j)>
#bij = affine_map<(b, i, j) -> (b, i, j)>
#bi = affine_map<(b, i, j) -> (b, i)>
#ij = affine_map<(b, i, j) -> (i, j)>

// f32 stays exact.
// CHECK-LABEL: func.func @floats(
// CHECK:         jit.kernel = "product"
// CHECK:         jit.kernel = "rows"
// CHECK:         jit.kernel = "product"
func.func @floats(%q: memref<4x100x64xf32>, %t: memref<4x64x130xf32>, %v: memref<4x130x64xf32>, %y: memref<4x100x64xf32>) {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %scores = memref.alloc() : memref<4x100x130xf32>
  linalg.fill ins(%zero : f32) outs(%scores : memref<4x100x130xf32>)
  linalg.generic {indexing_maps = [#x, #y, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %t : memref<4x100x64xf32>, memref<4x64x130xf32>) outs(%scores : memref<4x100x130xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %2 = arith.mulf %l, %r : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  }
  %shares = memref.alloc() : memref<4x100x130xf32>
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
      ins(%e, %sum : memref<4x100x130xf32>, memref<4x100xf32>) outs(%shares : memref<4x100x130xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %0 = arith.divf %a, %s : f32
    linalg.yield %0 : f32
  }
  linalg.fill ins(%zero : f32) outs(%y : memref<4x100x64xf32>)
  linalg.generic {indexing_maps = [#x, #y, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%shares, %v : memref<4x100x130xf32>, memref<4x130x64xf32>) outs(%y : memref<4x100x64xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %2 = arith.mulf %l, %r : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  }
  return
}

// Sums of 256 columns do not fit into registers.
// CHECK-LABEL: func.func @wide(
// CHECK:         jit.kernel = "mma"
// CHECK:         jit.kernel = "rows"
// CHECK:         jit.kernel = "mma"
func.func @wide(%q: memref<4x100x64xf16>, %t: memref<4x64x130xf16>, %v: memref<4x130x256xf16>, %y: memref<4x100x256xf32>) {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
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
  linalg.fill ins(%zero : f32) outs(%y : memref<4x100x256xf32>)
  linalg.generic {indexing_maps = [#x, #y, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%shares, %v : memref<4x100x130xf16>, memref<4x130x256xf16>) outs(%y : memref<4x100x256xf32>) {
  ^bb0(%l: f16, %r: f16, %o: f32):
    %0 = arith.extf %l : f16 to f32
    %1 = arith.extf %r : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  }
  return
}
