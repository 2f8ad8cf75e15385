// RUN: jit-opt %s --jit-gpu-map-kernels=multiprocessors=4 | FileCheck %s

#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#j = affine_map<(i, j) -> (j)>
#none = affine_map<(i, j) -> ()>

// Sums of rows, of columns and of all: 32 blocks of a row each go through eight rows with what they have of the columns and of all,
// and a warp for each of these numbers adds up what blocks have. The matrix is read once.
// CHECK-LABEL: func.func @sums(
// CHECK-DAG:     %[[COLUMNS:.*]] = memref.alloc() : memref<32x1024xf32>
// CHECK-DAG:     %[[ALL:.*]] = memref.alloc() : memref<32x1xf32>
// CHECK:         gpu.launch {{.*}} in (%{{.*}} = %c32{{.*}}) threads({{.*}}) in (%{{.*}} = %c128
// CHECK:           scf.for %{{.*}} = %{{.*}} to %c256{{.*}} step %c32{{.*}} iter_args(
// CHECK-COUNT-2:     vector.load %arg0{{.*}} vector<4xf32>
// CHECK-NOT:         vector.load
// CHECK:             memref.store %{{.*}}, %arg1
// CHECK:             gpu.barrier
// CHECK:             scf.yield
// CHECK-COUNT-2:   vector.store %{{.*}}, %[[COLUMNS]]
// CHECK:           memref.store %{{.*}}, %[[ALL]]
// CHECK:         } {jit.kernel = "rows"}
// CHECK:         gpu.launch {{.*}} in (%{{.*}} = %c1024
// CHECK:           memref.load %[[COLUMNS]]
// CHECK:           memref.load %arg2
// CHECK:           memref.store %{{.*}}, %arg2
// CHECK:         } {jit.kernel = "joined"}
// CHECK:         gpu.launch
// CHECK:           memref.load %[[ALL]]
// CHECK:         } {jit.kernel = "joined"}
// CHECK-NOT:     gpu.launch
func.func @sums(%x: memref<256x1024xf32>, %rows: memref<256xf32>, %columns: memref<1024xf32>, %all: memref<f32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%rows : memref<256xf32>)
  linalg.reduce { arith.addf } ins(%x : memref<256x1024xf32>) outs(%rows : memref<256xf32>) dimensions = [1]
  linalg.reduce { arith.addf } ins(%x : memref<256x1024xf32>) outs(%columns : memref<1024xf32>) dimensions = [0]
  linalg.generic {indexing_maps = [#ij, #none], iterator_types = ["reduction", "reduction"]}
      ins(%x : memref<256x1024xf32>) outs(%all : memref<f32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %o, %a : f32
    linalg.yield %r : f32
  }
  return
}

// Too few rows for blocks that go from row to row: sums of columns have kernels of their own.
// CHECK-LABEL: func.func @few(
// CHECK:         } {jit.kernel = "rows"}
// CHECK:         } {jit.kernel = "elements"}
func.func @few(%x: memref<24x1024xf32>, %rows: memref<24xf32>, %columns: memref<1024xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%rows : memref<24xf32>)
  linalg.reduce { arith.addf } ins(%x : memref<24x1024xf32>) outs(%rows : memref<24xf32>) dimensions = [1]
  linalg.reduce { arith.addf } ins(%x : memref<24x1024xf32>) outs(%columns : memref<1024xf32>) dimensions = [0]
  return
}

// What asks for a sum of columns is no part of the kernel that makes it.
// CHECK-LABEL: func.func @later(
// CHECK:         } {jit.kernel = "rows"}
// CHECK:         } {jit.kernel = "joined"}
// CHECK:         gpu.launch
// CHECK:           load %arg2
// CHECK:           store %{{.*}}, %arg3
// CHECK-NOT:     gpu.launch
func.func @later(%x: memref<256x1024xf32>, %rows: memref<256xf32>, %columns: memref<1024xf32>, %y: memref<256x1024xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%rows : memref<256xf32>)
  linalg.reduce { arith.addf } ins(%x : memref<256x1024xf32>) outs(%rows : memref<256xf32>) dimensions = [1]
  linalg.reduce { arith.addf } ins(%x : memref<256x1024xf32>) outs(%columns : memref<1024xf32>) dimensions = [0]
  linalg.generic {indexing_maps = [#ij, #j, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x, %columns : memref<256x1024xf32>, memref<1024xf32>) outs(%y : memref<256x1024xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %r = arith.divf %a, %s : f32
    linalg.yield %r : f32
  }
  return
}
