// Each pass takes what those before it have left: attention is no two products, its softmax no rows.
// RUN: jit-opt %s --jit-gpu-lower-copies --jit-gpu-map-attention --jit-gpu-map-products | FileCheck %s --check-prefix=PRODUCTS
// RUN: jit-opt %s --jit-gpu-lower-copies --jit-gpu-map-attention --jit-gpu-map-products --jit-gpu-map-rows | FileCheck %s --check-prefix=ROWS
// RUN: jit-opt %s --jit-to-nvptx=chip=sm_90 --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=ORDER

// ORDER:      jit-gpu-store-scalars
// ORDER-NEXT: jit-gpu-lower-copies
// ORDER-NEXT: jit-gpu-map-attention{{.*}}multiprocessors=132
// ORDER-NEXT: jit-gpu-map-products{{.*}}multiprocessors=132
// ORDER-NEXT: jit-gpu-map-rows{multiprocessors=132}
// ORDER-NEXT: jit-gpu-map-ops{multiprocessors=132}
// ORDER-NEXT: jit-gpu-sink-scalars

#rows = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// PRODUCTS-LABEL: func.func @forward(
// PRODUCTS:         gpu.launch
// PRODUCTS:         jit.kernel = "product"
// PRODUCTS:         linalg.generic
// PRODUCTS:         linalg.generic
// ROWS-LABEL:     func.func @forward(
// ROWS:             jit.kernel = "product"
// ROWS:             jit.kernel = "rows"
// ROWS-NOT:         linalg.
func.func @forward(%a: memref<32x64xf32>, %b: memref<64x48xf32>, %p: memref<32x48xf32>, %sums: memref<32xf32>, %out: memref<32x48xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%p : memref<32x48xf32>)
  linalg.matmul ins(%a, %b : memref<32x64xf32>, memref<64x48xf32>) outs(%p : memref<32x48xf32>)
  linalg.fill ins(%zero : f32) outs(%sums : memref<32xf32>)
  linalg.generic {indexing_maps = [#rows, #row], iterator_types = ["parallel", "reduction"]}
      ins(%p : memref<32x48xf32>) outs(%sums : memref<32xf32>) {
  ^bb0(%x: f32, %s: f32):
    %t = arith.addf %s, %x : f32
    linalg.yield %t : f32
  }
  linalg.generic {indexing_maps = [#rows, #row, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%p, %sums : memref<32x48xf32>, memref<32xf32>) outs(%out : memref<32x48xf32>) {
  ^bb0(%x: f32, %s: f32, %o: f32):
    %q = arith.divf %x, %s : f32
    linalg.yield %q : f32
  }
  return
}
