// RUN: jit-opt %s --jit-lower-structured | FileCheck %s

// Contiguous dimensions become one loop, marked with its work.
// CHECK-LABEL: func.func @collapse(
// CHECK:         scf.parallel (%[[I:.*]]) = (%{{.*}}) to (%c12
// CHECK:           memref.load
// CHECK:           math.absf
// CHECK:           memref.store
// CHECK:         } {jit.flops = 24 : i64}
func.func @collapse(%x: memref<3x4xf32>, %y: memref<3x4xf32>) {
  linalg.abs ins(%x : memref<3x4xf32>) outs(%y : memref<3x4xf32>)
  return
}

// A sum along rows accumulates in a register and may be reassociated.
// CHECK-LABEL: func.func @rows(
// CHECK:         scf.parallel (%[[I:.*]]) = (%{{.*}}) to (%c32
// CHECK:           %[[INIT:.*]] = memref.load %{{.*}}[%[[I]]]
// CHECK:           %[[SUM:.*]] = scf.for %[[J:.*]] = {{.*}} iter_args(%[[ACC:.*]] = %[[INIT]])
// CHECK:             %[[V:.*]] = memref.load %{{.*}}[%[[I]], %[[J]]]
// CHECK:             %[[S:.*]] = arith.addf %[[ACC]], %[[V]] fastmath<reassoc,contract>
// CHECK:             scf.yield %[[S]]
// CHECK:           memref.store %[[SUM]]
func.func @rows(%x: memref<32x64xf32>, %y: memref<32xf32>) {
  linalg.reduce { arith.addf } ins(%x : memref<32x64xf32>) outs(%y : memref<32xf32>) dimensions = [1]
  return
}

// A sum along columns keeps the contiguous dimension innermost.
// CHECK-LABEL: func.func @columns(
// CHECK:         scf.for %[[I:.*]] =
// CHECK:           scf.for %[[J:.*]] =
// CHECK:             memref.load %{{.*}}[%[[I]], %[[J]]]
// CHECK:             memref.store %{{.*}}[%[[J]]]
func.func @columns(%x: memref<32x64xf32>, %y: memref<64xf32>) {
  linalg.reduce { arith.addf } ins(%x : memref<32x64xf32>) outs(%y : memref<64xf32>) dimensions = [0]
  return
}

// A copy into a strided view needs loops; one between whole buffers is left to LLVM.
// CHECK-LABEL: func.func @copies(
// CHECK:         memref.copy
// CHECK:         scf.parallel
// CHECK-NOT:     memref.copy
func.func @copies(%x: memref<4x4xf32>, %y: memref<4x4xf32>, %z: memref<8x8xf32>) {
  memref.copy %x, %y : memref<4x4xf32> to memref<4x4xf32>
  %s = memref.subview %z[2, 2] [4, 4] [1, 1] : memref<8x8xf32> to memref<4x4xf32, strided<[8, 1], offset: 18>>
  memref.copy %x, %s : memref<4x4xf32> to memref<4x4xf32, strided<[8, 1], offset: 18>>
  return
}

// Rows of open size may become known, and casts go: then the types would no longer say that the buffers are whole, and LLVM would call a function to copy them.
// CHECK-LABEL: func.func @open_copies(
// CHECK:         memref.copy %arg0, %arg1
// CHECK-NOT:     memref.copy
func.func @open_copies(%x: memref<?x3xf32>, %y: memref<?x3xf32>, %z: memref<?x?xf32>, %s: memref<?x3xf32, strided<[3, 1]>>, %none: memref<0x?xf32>) {
  memref.copy %x, %y : memref<?x3xf32> to memref<?x3xf32>
  memref.copy %x, %z : memref<?x3xf32> to memref<?x?xf32>
  %c = memref.cast %s : memref<?x3xf32, strided<[3, 1]>> to memref<?x?xf32>
  memref.copy %z, %c : memref<?x?xf32> to memref<?x?xf32>
  memref.copy %z, %none : memref<?x?xf32> to memref<0x?xf32>
  return
}

// An output that the reduction walks along is stored at each step, by one thread.
// CHECK-LABEL: func.func @walks(
// CHECK-NOT:     scf.parallel
// CHECK:         scf.for
// CHECK:           memref.store {{.*}} : memref<6xf32>
// CHECK:           memref.store {{.*}} : memref<f32>
func.func @walks(%x: memref<6xf32>, %y: memref<6xf32>, %z: memref<f32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>],
                  iterator_types = ["reduction"]}
      ins(%x : memref<6xf32>) outs(%y, %z : memref<6xf32>, memref<f32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %a, %b : f32
    %t = arith.addf %c, %s : f32
    linalg.yield %s, %t : f32, f32
  }
  return
}
