// RUN: jit-opt %s --jit-gpu-map-kernels=warpgroup-products | FileCheck %s

// Rows that are no multiple of 16 bytes, few columns, constants of the program: by warps alone.
// CHECK-NOT:   jit.kernel = "wgmma"
// CHECK-COUNT-3: jit.kernel = "mma"
memref.global "private" constant @weight : memref<64x64xf16> = dense<1.0>
#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>
func.func @unaligned(%a: memref<128x68xf16>, %b: memref<68x128xf16>, %c: memref<128x128xf32>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<128x68xf16>, memref<68x128xf16>) outs(%c : memref<128x128xf32>) {
  ^bb0(%x: f16, %y: f16, %o: f32):
    %0 = arith.extf %x : f16 to f32
    %1 = arith.extf %y : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  }
  return
}
func.func @narrow(%a: memref<128x64xf16>, %b: memref<64x56xf16>, %c: memref<128x56xf32>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<128x64xf16>, memref<64x56xf16>) outs(%c : memref<128x56xf32>) {
  ^bb0(%x: f16, %y: f16, %o: f32):
    %0 = arith.extf %x : f16 to f32
    %1 = arith.extf %y : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  }
  return
}
func.func @constant(%a: memref<128x64xf16>, %c: memref<128x64xf32>) {
  %b = memref.get_global @weight : memref<64x64xf16>
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<128x64xf16>, memref<64x64xf16>) outs(%c : memref<128x64xf32>) {
  ^bb0(%x: f16, %y: f16, %o: f32):
    %0 = arith.extf %x : f16 to f32
    %1 = arith.extf %y : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  }
  return
}
