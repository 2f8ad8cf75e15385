// RUN: jit-opt %s --jit-gpu-map-kernels | FileCheck %s

// Contiguous dimensions are one; four floats a thread, 24 threads of a warp.
// CHECK-LABEL: func.func @contracted(
// CHECK:         gpu.launch blocks({{.*}}) in (%{{.*}} = %c1{{.*}}) threads(%[[T:[a-z0-9]+]], {{.*}}) in (%{{.*}} = %c32
// CHECK:           arith.cmpi ult, %[[T]], %c24
// CHECK:           %[[I:.*]] = arith.muli %[[T]], %c4
// CHECK:           vector.load %{{.*}}[%[[I]]] {alignment = 16 : i64} : memref<96xf32>, vector<4xf32>
// CHECK-COUNT-4:   math.absf %{{.*}} : f32
// CHECK:           vector.store %{{.*}}[%[[I]]] {alignment = 16 : i64} : memref<96xf32>, vector<4xf32>
// CHECK:         } {jit.kernel = "pointwise"}
func.func @contracted(%x: memref<3x4x8xf32>, %y: memref<3x4x8xf32>) {
  linalg.abs ins(%x : memref<3x4x8xf32>) outs(%y : memref<3x4x8xf32>)
  return
}

// Operands of which fewer elements are read than there are points are marked: one is a vector, one the
// same for all eight neighbours.
#ij = affine_map<(i, j) -> (i, j)>
#j = affine_map<(i, j) -> (j)>
#i = affine_map<(i, j) -> (i)>
// CHECK-LABEL: func.func @broadcast(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: {{.*}}, %[[ROW:[a-z0-9]+]]: {{.*}}, %[[COLUMN:[a-z0-9]+]]: memref<64xf16>
// CHECK:         %[[J:.*]] = arith.muli %{{.*}}, %c8
// CHECK:         vector.load %[[X]][%[[I:.*]], %[[J]]] {alignment = 16 : i64} : memref<64x32xf16>, vector<8xf16>
// CHECK:         vector.load %[[ROW]][%[[J]]] {alignment = 16 : i64, jit.broadcast} : memref<32xf16>, vector<8xf16>
// CHECK:         memref.load %[[COLUMN]][%[[I]]] {jit.broadcast} : memref<64xf16>
// CHECK-NOT:     load
// CHECK:         vector.store
func.func @broadcast(%x: memref<64x32xf16>, %row: memref<32xf16>, %column: memref<64xf16>, %y: memref<64x32xf16>) {
  linalg.generic {indexing_maps = [#ij, #j, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x, %row, %column : memref<64x32xf16>, memref<32xf16>, memref<64xf16>) outs(%y : memref<64x32xf16>) {
  ^bb0(%a: f16, %b: f16, %c: f16, %o: f16):
    %0 = arith.addf %a, %b : f16
    %1 = arith.mulf %0, %c : f16
    linalg.yield %1 : f16
  }
  return
}

// Rows that do not begin at a multiple of 16 bytes are walked one by one.
// CHECK-LABEL: func.func @odd(
// CHECK-NOT:     vector
// CHECK:         memref.load
// CHECK-NOT:     vector
// CHECK:         memref.store
// CHECK-NOT:     vector
// CHECK:         return
func.func @odd(%x: memref<5x7xf32>, %y: memref<5x7xf32>) {
  %s = memref.subview %x[0, 0] [5, 6] [1, 1] : memref<5x7xf32> to memref<5x6xf32, strided<[7, 1]>>
  %t = memref.subview %y[0, 1] [5, 6] [1, 1] : memref<5x7xf32> to memref<5x6xf32, strided<[7, 1], offset: 1>>
  linalg.abs ins(%s : memref<5x6xf32, strided<[7, 1]>>) outs(%t : memref<5x6xf32, strided<[7, 1], offset: 1>>)
  return
}

// The grid is bounded by the device; threads go on in strides of the grid.
// CHECK-LABEL: func.func @long(
// CHECK:         gpu.launch blocks({{.*}}) in (%{{.*}} = %c3456{{.*}}) threads({{.*}}) in (%{{.*}} = %c256
// CHECK:           scf.for %{{.*}} = %{{.*}} to %c6250000{{.*}} step %c884736
// CHECK:             vector.load {{.*}} vector<16xi8>
func.func @long(%x: memref<100000000xi8>, %y: memref<100000000xi8>) {
  linalg.copy ins(%x : memref<100000000xi8>) outs(%y : memref<100000000xi8>)
  return
}

// Neighbours are neighbours of the output: what is read across is read one by one.
// CHECK-LABEL: func.func @transposed(
// CHECK-COUNT-4: memref.load {{.*}} : memref<8x16xf32>
// CHECK:         vector.store {{.*}} : memref<16x8xf32>, vector<4xf32>
func.func @transposed(%x: memref<8x16xf32>, %y: memref<16x8xf32>) {
  linalg.transpose ins(%x : memref<8x16xf32>) outs(%y : memref<16x8xf32>) permutation = [1, 0]
  return
}

// A double beside a float: the vectors are of two elements.
// CHECK-LABEL: func.func @mixed(
// CHECK:         vector.load {{.*}} : memref<64xf32>, vector<2xf32>
// CHECK:         vector.store {{.*}} : memref<64xf64>, vector<2xf64>
#id = affine_map<(i) -> (i)>
func.func @mixed(%x: memref<64xf32>, %y: memref<64xf64>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : memref<64xf32>) outs(%y : memref<64xf64>) {
  ^bb0(%a: f32, %o: f64):
    %0 = arith.extf %a : f32 to f64
    linalg.yield %0 : f64
  }
  return
}
