// RUN: jit-opt %s --jit-gpu-map-kernels | FileCheck %s

// One dimension of open size: the grid fills the device once and goes on in strides; only the last vector may be a part.
// CHECK-LABEL: func.func @contracted(
// CHECK:         gpu.launch blocks({{.*}}) in (%{{.*}} = %c864{{.*}}) threads({{.*}}) in (%{{.*}} = %c256
// CHECK:           %[[N:.*]] = memref.dim
// CHECK:           %[[COUNT:.*]] = arith.divui
// CHECK:           scf.for %[[ID:.*]] = %{{.*}} to %[[COUNT]] step %c221184
// CHECK:             %[[I:.*]] = arith.muli %[[ID]], %c4
// CHECK:             %[[END:.*]] = arith.addi %[[I]], %c4
// CHECK:             %[[WHOLE:.*]] = arith.cmpi ule, %[[END]], %[[N]]
// CHECK:             scf.if %[[WHOLE]]
// CHECK:               vector.load %{{.*}}[%[[I]]] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
// CHECK:               vector.store
// CHECK:             } else {
// CHECK:               arith.minui
// CHECK:               scf.for %{{.*}} = %[[I]] to
// CHECK:                 memref.load
// CHECK:                 memref.store
// CHECK:         } {jit.kernel = "pointwise"}
func.func @contracted(%x: memref<?x4x?xf32>, %y: memref<?x4x?xf32>) {
  linalg.abs ins(%x : memref<?x4x?xf32>) outs(%y : memref<?x4x?xf32>)
  return
}

#ij = affine_map<(i, j) -> (i, j)>
#j = affine_map<(i, j) -> (j)>
#i = affine_map<(i, j) -> (i)>

// Rows of known, whole vectors need no test.
// CHECK-LABEL: func.func @open_rows(
// CHECK:         scf.for
// CHECK-NOT:     scf.if
// CHECK:         vector.load {{.*}} : memref<?x32xf16>, vector<8xf16>
// CHECK:         vector.load {{.*}} {alignment = 16 : i64, jit.broadcast} : memref<32xf16>, vector<8xf16>
// CHECK:         memref.load {{.*}} {jit.broadcast} : memref<?xf16>
// CHECK:         vector.store
func.func @open_rows(%x: memref<?x32xf16>, %row: memref<32xf16>, %column: memref<?xf16>, %y: memref<?x32xf16>) {
  linalg.generic {indexing_maps = [#ij, #j, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x, %row, %column : memref<?x32xf16>, memref<32xf16>, memref<?xf16>) outs(%y : memref<?x32xf16>) {
  ^bb0(%a: f16, %b: f16, %c: f16, %o: f16):
    %0 = arith.addf %a, %b : f16
    %1 = arith.mulf %0, %c : f16
    linalg.yield %1 : f16
  }
  return
}

// Rows of open size are aligned if their size is a multiple of four.
// CHECK-LABEL: func.func @open_columns(
// CHECK:         %[[REST:.*]] = arith.remui %{{.*}}, %c4
// CHECK:         %[[WHOLE:.*]] = arith.cmpi eq, %[[REST]], %c0
// CHECK:         scf.if %[[WHOLE]]
// CHECK:           vector.load {{.*}} : memref<?x?xf32>, vector<4xf32>
// CHECK:           vector.load {{.*}} : memref<?xf32>, vector<4xf32>
// CHECK:         } else {
// CHECK-NOT:       vector
// CHECK:         } {jit.kernel = "pointwise"}
func.func @open_columns(%x: memref<?x?xf32>, %row: memref<?xf32>, %y: memref<?x?xf32>) {
  linalg.generic {indexing_maps = [#ij, #j, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x, %row : memref<?x?xf32>, memref<?xf32>) outs(%y : memref<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  }
  return
}

// Strides that only the call tells may be any.
// CHECK-LABEL: func.func @strided(
// CHECK-NOT:     vector
// CHECK:         return
func.func @strided(%x: memref<?x?xf32>, %y: memref<8x?xf32>, %n: index) {
  %s = memref.subview %x[0, 0] [8, %n] [1, 1] : memref<?x?xf32> to memref<8x?xf32, strided<[?, 1]>>
  %t = memref.subview %y[0, 0] [8, %n] [1, 1] : memref<8x?xf32> to memref<8x?xf32, strided<[?, 1]>>
  linalg.abs ins(%s : memref<8x?xf32, strided<[?, 1]>>) outs(%t : memref<8x?xf32, strided<[?, 1]>>)
  return
}

// A warp for each row, one that goes along memory; the next row is as many on as there are warps.
// CHECK-LABEL: func.func @rows(
// CHECK-DAG:     %[[M:.*]] = memref.dim %{{.*}}, %c1
// CHECK-DAG:     %[[N:.*]] = memref.dim %{{.*}}, %c0
// CHECK:         scf.for %{{.*}} to %[[N]] step %c6912
// CHECK:           scf.for %{{.*}} to %[[M]] step %c32
// CHECK-COUNT-5:   gpu.shuffle xor
// CHECK:           memref.store
// CHECK:         } {jit.kernel = "rows"}
func.func @rows(%x: memref<?x?xf32>, %y: memref<?xf32>) {
  linalg.reduce { arith.addf } ins(%x : memref<?x?xf32>) outs(%y : memref<?xf32>) dimensions = [1]
  return
}

// A block for each of a known number of rows.
// CHECK-LABEL: func.func @all(
// CHECK:         gpu.launch blocks({{.*}}) in (%{{.*}} = %c1{{.*}}) threads({{.*}}) in (%{{.*}} = %c256
// CHECK:           scf.for %{{.*}} step %c256
// CHECK:           gpu.barrier
// CHECK:         } {jit.kernel = "rows"}
func.func @all(%x: memref<?xf32>, %y: memref<f32>) {
  linalg.reduce { arith.addf } ins(%x : memref<?xf32>) outs(%y : memref<f32>) dimensions = [0]
  return
}

// A thread for each output where it reads beside its neighbours.
// CHECK-LABEL: func.func @columns(
// CHECK:         %[[N:.*]] = memref.dim %{{.*}}, %c0
// CHECK:         scf.for
// CHECK:           scf.for %{{.*}} = %c0{{.*}} to %[[N]]
// CHECK:         } {jit.kernel = "elements"}
func.func @columns(%x: memref<?x?xf32>, %y: memref<?xf32>) {
  linalg.reduce { arith.addf } ins(%x : memref<?x?xf32>) outs(%y : memref<?xf32>) dimensions = [0]
  return
}
