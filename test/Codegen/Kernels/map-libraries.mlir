// RUN: jit-opt %s --jit-gpu-map-kernels=library-products | FileCheck %s
// RUN: jit-opt %s --jit-gpu-map-kernels | FileCheck %s --check-prefix=NONE

#m = affine_map<(i, j, k) -> (i, k)>
#n = affine_map<(i, j, k) -> (k, j)>
#t = affine_map<(i, j, k) -> (j, k)>
#o = affine_map<(i, j, k) -> (i, j)>
#ij = affine_map<(i, j) -> (i, j)>
#j = affine_map<(i, j) -> (j)>

// NONE-NOT: jit.library_product

// A plain product is a library's: types of factors and sums, batches, rows, columns, summands; of each matrix whether its columns
// lie side by side, and its strides; whether it adds to what is there, and whether tf32 is allowed.
// CHECK-LABEL: func.func @plain(
// CHECK-NOT:     gpu.launch
// CHECK:         linalg.generic {{.*}} ins(%arg0, %arg1 : {{.*}}) outs(%arg2 : memref<64x32xf32>)
// CHECK-SAME:      jit.library_product = array<i64: 6, 6, 1, 64, 32, 48, 0, 48, 0, 0, 32, 0, 0, 32, 0, 0, 0>
func.func @plain(%a: memref<64x48xf32>, %b: memref<48x32xf32>, %c: memref<64x32xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x32xf32>)
  linalg.matmul ins(%a, %b : memref<64x48xf32>, memref<48x32xf32>) outs(%c : memref<64x32xf32>)
  return
}

// Halves that come out as halves, of a factor whose columns lie side by side; the library rounds the sums.
// CHECK-LABEL: func.func @halves(
// CHECK-NOT:     gpu.launch
// CHECK:         linalg.generic {{.*}} outs(%arg2 : memref<64x32xbf16>)
// CHECK-SAME:      jit.library_product = array<i64: 15, 15, 1, 64, 32, 48, 0, 48, 0, 1, 48, 0, 0, 32, 0, 0, 0>
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:    linalg.yield %out
// CHECK-NEXT:    }
// CHECK-NEXT:    return
func.func @halves(%a: memref<64x48xbf16>, %b: memref<32x48xbf16>, %c: memref<64x32xbf16>) {
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<64x32xf32>
  linalg.fill ins(%zero : f32) outs(%s : memref<64x32xf32>)
  linalg.generic {indexing_maps = [#m, #t, #o], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<64x48xbf16>, memref<32x48xbf16>) outs(%s : memref<64x32xf32>) {
  ^bb0(%l: bf16, %r: bf16, %o: f32):
    %0 = arith.extf %l : bf16 to f32
    %1 = arith.extf %r : bf16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  }
  linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%s : memref<64x32xf32>) outs(%c : memref<64x32xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %0 = arith.truncf %x : f32 to bf16
    linalg.yield %0 : bf16
  }
  return
}

// What goes on with the sums keeps the product in a kernel of our own, and so do integers.
// CHECK-LABEL: func.func @bias(
// CHECK-NOT:     jit.library_product
// CHECK:         jit.kernel = "product"
func.func @bias(%a: memref<64x48xf32>, %b: memref<48x32xf32>, %bias: memref<32xf32>, %c: memref<64x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<64x32xf32>
  linalg.fill ins(%zero : f32) outs(%s : memref<64x32xf32>)
  linalg.matmul ins(%a, %b : memref<64x48xf32>, memref<48x32xf32>) outs(%s : memref<64x32xf32>)
  linalg.generic {indexing_maps = [#ij, #j, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%s, %bias : memref<64x32xf32>, memref<32xf32>) outs(%c : memref<64x32xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %0 = arith.addf %x, %y : f32
    linalg.yield %0 : f32
  }
  return
}

// CHECK-LABEL: func.func @integers(
// CHECK-NOT:     jit.library_product
// CHECK:         return
func.func @integers(%a: memref<64x48xi32>, %b: memref<48x32xi32>, %c: memref<64x32xi32>) {
  linalg.matmul ins(%a, %b : memref<64x48xi32>, memref<48x32xi32>) outs(%c : memref<64x32xi32>)
  return
}
