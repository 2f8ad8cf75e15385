// RUN: jit-opt %s --pass-pipeline='builtin.module(func.func(jit-emit-products{lanes=16 registers=32},canonicalize,cse))' | FileCheck %s

// Rows that a call counts: whole tiles, and a last one of any height.
// CHECK-LABEL: func.func @rows
// CHECK: %[[ROWS:.*]] = memref.dim %arg2, %c0
// CHECK: %[[TILES:.*]] = arith.ceildivui %[[ROWS]], %[[HEIGHT:.*]] :
// CHECK: scf.parallel {{.*}}%[[TILES]]
// CHECK: %[[DONE:.*]] = arith.muli {{.*}}, %[[HEIGHT]]
// CHECK: %[[REST:.*]] = arith.subi %[[ROWS]], %[[DONE]]
// CHECK: scf.index_switch %[[REST]]
// CHECK: case 1
// CHECK: vector.fma
// CHECK: case 2
// CHECK: default
// CHECK: vector.fma
// CHECK-NOT: linalg
func.func @rows(%a: memref<?x64xf32>, %b: memref<64x96xf32>, %c: memref<?x96xf32>) {
  linalg.matmul ins(%a, %b : memref<?x64xf32>, memref<64x96xf32>) outs(%c : memref<?x96xf32>)
  return
}

// Two open sizes that all operands walk as one; the summands' number stands with the weight alone. Bias, activation and residual are folded.
// CHECK-LABEL: func.func @two_sizes
// CHECK-DAG: %[[B:.*]] = memref.dim %arg4, %c0
// CHECK-DAG: %[[S:.*]] = memref.dim %arg4, %c1
// CHECK: %[[ROWS:.*]] = arith.muli %[[B]], %[[S]]
// CHECK: arith.ceildivui %[[ROWS]]
// CHECK-NOT: linalg
// CHECK: arith.maximumf {{.*}} : vector<16xf32>
// CHECK: arith.addf {{.*}} : vector<16xf32>
// CHECK-NOT: linalg
func.func @two_sizes(%x: memref<?x?x?xf32>, %w: memref<64x96xf32>, %bias: memref<96xf32>, %skip: memref<?x?x96xf32>, %out: memref<?x?x96xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [affine_map<(b, s, n) -> (n)>, affine_map<(b, s, n) -> (b, s, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%bias : memref<96xf32>) outs(%out : memref<?x?x96xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  }
  linalg.generic {
    indexing_maps = [affine_map<(b, s, n, k) -> (b, s, k)>, affine_map<(b, s, n, k) -> (k, n)>, affine_map<(b, s, n, k) -> (b, s, n)>],
    iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%x, %w : memref<?x?x?xf32>, memref<64x96xf32>) outs(%out : memref<?x?x96xf32>) {
  ^bb0(%a: f32, %v: f32, %o: f32):
    %p = arith.mulf %a, %v : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [affine_map<(b, s, n) -> (b, s, n)>, affine_map<(b, s, n) -> (b, s, n)>, affine_map<(b, s, n) -> (b, s, n)>],
    iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%out, %skip : memref<?x?x96xf32>, memref<?x?x96xf32>) outs(%out : memref<?x?x96xf32>) {
  ^bb0(%v: f32, %r: f32, %o: f32):
    %m = arith.maximumf %v, %zero : f32
    %s = arith.addf %m, %r : f32
    linalg.yield %s : f32
  }
  return
}

// A function behind the product: each of the kernels leaves its sums, and one loop over the rows finishes them. In each it would be
// written out for every vector.
// CHECK-LABEL: func.func @function
// CHECK: %[[SUMS:.*]] = memref.alloca() {alignment = 64 : i64} : memref<{{.*}}xf32>
// CHECK: scf.index_switch %[[REST:[0-9]+]]
// CHECK-NOT: math.erf
// CHECK: default
// CHECK-NOT: math.erf
// CHECK: vector.store {{.*}}, %[[SUMS]]
// CHECK: %[[ROWS:.*]] = arith.minui %[[REST]], %[[HEIGHT:.*]] :
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %[[ROWS]]
// CHECK-COUNT-2: vector.load %[[SUMS]]
// CHECK: math.erf {{.*}} : vector<16xf32>
// CHECK: vector.store
// CHECK-NOT: linalg
func.func @function(%a: memref<?x64xf32>, %b: memref<64x96xf32>, %sums: memref<?x96xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%sums : memref<?x96xf32>)
  linalg.matmul ins(%a, %b : memref<?x64xf32>, memref<64x96xf32>) outs(%sums : memref<?x96xf32>)
  linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
    ins(%sums : memref<?x96xf32>) outs(%sums : memref<?x96xf32>) {
  ^bb0(%v: f32, %o: f32):
    %e = math.erf %v : f32
    linalg.yield %e : f32
  }
  return
}

// One open size among batches is a loop around tiles of known sizes.
// CHECK-LABEL: func.func @batches
// CHECK: %[[BATCHES:.*]] = memref.dim %arg2, %c0
// CHECK: scf.parallel {{.*}}%[[BATCHES]]
// CHECK-NOT: scf.index_switch
// CHECK: vector.fma
func.func @batches(%a: memref<?x24x64xf32>, %b: memref<?x64x96xf32>, %c: memref<?x24x96xf32>) {
  linalg.batch_matmul ins(%a, %b : memref<?x24x64xf32>, memref<?x64x96xf32>) outs(%c : memref<?x24x96xf32>)
  return
}

// A step that only a call tells: open columns, an open sum, batches of open matrices, rows that do not follow one another.
// CHECK-LABEL: func.func @columns
// CHECK: linalg.matmul
func.func @columns(%a: memref<8x64xf32>, %b: memref<64x?xf32>, %c: memref<8x?xf32>) {
  linalg.matmul ins(%a, %b : memref<8x64xf32>, memref<64x?xf32>) outs(%c : memref<8x?xf32>)
  return
}

// CHECK-LABEL: func.func @sum
// CHECK: linalg.matmul
func.func @sum(%a: memref<8x?xf32>, %b: memref<?x32xf32>, %c: memref<8x32xf32>) {
  linalg.matmul ins(%a, %b : memref<8x?xf32>, memref<?x32xf32>) outs(%c : memref<8x32xf32>)
  return
}

// CHECK-LABEL: func.func @open_matrices
// CHECK: linalg.batch_matmul
func.func @open_matrices(%a: memref<4x?x64xf32>, %b: memref<4x64x96xf32>, %c: memref<4x?x96xf32>) {
  linalg.batch_matmul ins(%a, %b : memref<4x?x64xf32>, memref<4x64x96xf32>) outs(%c : memref<4x?x96xf32>)
  return
}

// CHECK-LABEL: func.func @strided
// CHECK: linalg.generic
func.func @strided(%x: memref<?x?x64xf32, strided<[?, 64, 1]>>, %w: memref<64x96xf32>, %out: memref<?x?x96xf32>) {
  linalg.generic {
    indexing_maps = [affine_map<(b, s, n, k) -> (b, s, k)>, affine_map<(b, s, n, k) -> (k, n)>, affine_map<(b, s, n, k) -> (b, s, n)>],
    iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%x, %w : memref<?x?x64xf32, strided<[?, 64, 1]>>, memref<64x96xf32>) outs(%out : memref<?x?x96xf32>) {
  ^bb0(%a: f32, %v: f32, %o: f32):
    %p = arith.mulf %a, %v : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  }
  return
}
