// RUN: jit-opt %s --jit-gpu-map-kernels | FileCheck %s

#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>

// A softmax is one kernel: a block of 128 threads has a row, four neighbours a thread by one access, twice. The row is
// loaded once; what only the group has is not stored.
// CHECK-LABEL: func.func @softmax(
// CHECK-NOT:     memref.alloc
// CHECK:         gpu.launch {{.*}} in (%{{.*}} = %c64{{.*}}) threads({{.*}}) in (%{{.*}} = %c128{{.*}} workgroup(%[[A:.*]] : memref<4xf32, #gpu.address_space<workgroup>>, %[[B:.*]] : memref<4xf32,
// CHECK-COUNT-2:   vector.load %arg0{{.*}} vector<4xf32>
// CHECK-NOT:       vector.load
// CHECK:           gpu.barrier
// CHECK:           math.exp
// CHECK:           gpu.barrier
// CHECK:           arith.divf
// CHECK-COUNT-2:   vector.store %{{.*}}, %arg1
// CHECK-NOT:       vector.store
// CHECK:         } {jit.kernel = "rows"}
// CHECK-NOT:     gpu.launch
func.func @softmax(%x: memref<64x1024xf32>, %y: memref<64x1024xf32>) {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %max = memref.alloc() : memref<64xf32>
  linalg.fill ins(%low : f32) outs(%max : memref<64xf32>)
  linalg.reduce { arith.maximumf } ins(%x : memref<64x1024xf32>) outs(%max : memref<64xf32>) dimensions = [1]
  %e = memref.alloc() : memref<64x1024xf32>
  linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x, %max : memref<64x1024xf32>, memref<64xf32>) outs(%e : memref<64x1024xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %d = arith.subf %a, %m : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  }
  %sum = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<64xf32>)
  linalg.reduce { arith.addf } ins(%e : memref<64x1024xf32>) outs(%sum : memref<64xf32>) dimensions = [1]
  linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%e, %sum : memref<64x1024xf32>, memref<64xf32>) outs(%y : memref<64x1024xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %r = arith.divf %a, %s : f32
    linalg.yield %r : f32
  }
  return
}

// Short rows: several in a warp. Ten rows of 20 elements, five accesses each, eight threads a row; the sixth
// to eighth compute what is not stored. A number for each row is stored by the first thread where it is used elsewhere.
// CHECK-LABEL: func.func @short(
// CHECK:         gpu.launch {{.*}} in (%{{.*}} = %c1{{.*}}) threads({{.*}}) in (%{{.*}} = %c128
// CHECK:           arith.select
// CHECK-COUNT-3:   gpu.shuffle xor
// CHECK-NOT:       gpu.shuffle
// CHECK:           scf.if
// CHECK:             memref.store %{{.*}}, %arg1
// CHECK:           scf.if
// CHECK:             vector.store %{{.*}}, %arg2
func.func @short(%x: memref<10x20xf32>, %s: memref<10xf32>, %y: memref<10x20xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%s : memref<10xf32>)
  linalg.reduce { arith.addf } ins(%x : memref<10x20xf32>) outs(%s : memref<10xf32>) dimensions = [1]
  linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : memref<10x20xf32>, memref<10xf32>) outs(%y : memref<10x20xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.subf %a, %b : f32
    linalg.yield %r : f32
  }
  return
}

#j = affine_map<(i, j) -> (j)>

// Rows that do not fit into registers: a block for each goes along it.
// CHECK-LABEL: func.func @wide(
// CHECK:         gpu.launch blocks({{.*}}) in (%{{.*}} = %c1280{{.*}}) threads({{.*}}) in (%{{.*}} = %c128
// CHECK:           scf.for %{{.*}} to %c50176 step %c512 iter_args
// CHECK:             vector.load {{.*}} vector<4xf32>
// CHECK:           gpu.barrier
// CHECK:           math.exp
// CHECK:           memref.store
// CHECK:         } {jit.kernel = "rows", jit.registers = 128 : i64}
// CHECK-NOT:     gpu.launch
func.func @wide(%x: memref<1280x50176xf32>, %w: memref<50176xf32>, %s: memref<1280xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%s : memref<1280xf32>)
  linalg.generic {indexing_maps = [#ij, #j, #i], iterator_types = ["parallel", "reduction"]}
      ins(%x, %w : memref<1280x50176xf32>, memref<50176xf32>) outs(%s : memref<1280xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.mulf %a, %b : f32
    %r = arith.addf %o, %d : f32
    linalg.yield %r : f32
  }
  linalg.map { math.exp } ins(%s : memref<1280xf32>) outs(%s : memref<1280xf32>)
  return
}

// The sum of all is the work of several kernels; what could follow on it as one row of all elements is free to go with other rows.
// CHECK-LABEL: func.func @sums(
// CHECK:         jit.kernel = "pieces"
// CHECK:         jit.kernel = "joined"
// CHECK-NOT:     jit.kernel = "pointwise"
// CHECK:         jit.kernel = "rows"
// CHECK-NOT:     jit.kernel
func.func @sums(%x: memref<1024x512xf32>, %y: memref<1024x512xf32>, %all: memref<f32>, %rows: memref<1024xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%x : memref<1024x512xf32>) outs(%all : memref<f32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  }
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%rows : memref<1024xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<1024x512xf32>) outs(%rows : memref<1024xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<1024x512xf32>) outs(%y : memref<1024x512xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.mulf %a, %a : f32
    linalg.yield %0 : f32
  }
  return
}
