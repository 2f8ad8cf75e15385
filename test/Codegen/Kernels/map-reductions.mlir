// RUN: jit-opt %s --jit-gpu-map-kernels | FileCheck %s

// A warp for each short row, four of them in a block: partial sums of every 32nd element, then shuffles
// in halving distances, then the old value is added.
// CHECK-LABEL: func.func @warps(
// CHECK:         gpu.launch {{.*}} in (%{{.*}} = %c64{{.*}}) threads({{.*}}) in (%{{.*}} = %c128
// CHECK:           %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK:           scf.for %{{.*}} = %{{.*}} to %c300{{.*}} step %c32{{.*}} iter_args(%{{.*}} = %[[ZERO]])
// CHECK:             arith.addf
// CHECK-DAG:       %[[D16:.*]] = arith.constant 16 : i32
// CHECK:           gpu.shuffle xor %{{.*}}, %[[D16]]
// CHECK-COUNT-4:   gpu.shuffle xor
// CHECK-NOT:       gpu.barrier
// CHECK:           scf.if
// CHECK:             memref.load %arg1
// CHECK:             memref.store %{{.*}}, %arg1
// CHECK:         } {jit.kernel = "rows"}
func.func @warps(%x: memref<256x300xf32>, %y: memref<256xf32>) {
  linalg.reduce { arith.addf } ins(%x : memref<256x300xf32>) outs(%y : memref<256xf32>) dimensions = [1]
  return
}

// A block for each long row; the warps' results meet in shared memory.
// CHECK-LABEL: func.func @blocks(
// CHECK:         gpu.launch {{.*}} in (%{{.*}} = %c8{{.*}}) threads({{.*}}) in (%{{.*}} = %c256{{.*}} workgroup(%[[S:.*]] : memref<8xf32, #gpu.address_space<workgroup>>)
// CHECK:           memref.store %{{.*}}, %[[S]]
// CHECK:           gpu.barrier
// CHECK:           memref.load %[[S]]
// CHECK-COUNT-3:   gpu.shuffle xor
// CHECK-NOT:       gpu.shuffle
func.func @blocks(%x: memref<8x3000xf32>, %y: memref<8xf32>) {
  linalg.reduce { arith.maximumf } ins(%x : memref<8x3000xf32>) outs(%y : memref<8xf32>) dimensions = [1]
  return
}

// Doubles travel as two words.
// CHECK-LABEL: func.func @double(
// CHECK-COUNT-10: gpu.shuffle xor %{{.*}} : i32
// CHECK-NOT:     gpu.shuffle
func.func @double(%x: memref<8x300xf64>, %y: memref<8xf64>) {
  linalg.reduce { arith.addf } ins(%x : memref<8x300xf64>) outs(%y : memref<8xf64>) dimensions = [1]
  return
}

// Many columns: a thread for each, so that neighbours read side by side.
// CHECK-LABEL: func.func @columns(
// CHECK-NOT:     gpu.shuffle
// CHECK:         scf.for
// CHECK:         } {jit.kernel = "elements"}
func.func @columns(%x: memref<64x10000xf32>, %y: memref<10000xf32>) {
  linalg.reduce { arith.addf } ins(%x : memref<64x10000xf32>) outs(%y : memref<10000xf32>) dimensions = [0]
  return
}

// What is not one operation for each output is one thread's work.
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
// CHECK-LABEL: func.func @entangled(
// CHECK-NOT:     gpu.shuffle
// CHECK:         } {jit.kernel = "elements"}
func.func @entangled(%x: memref<8x300xf32>, %y: memref<8xf32>) {
  linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<8x300xf32>) outs(%y : memref<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.mulf %o, %a : f32
    %1 = arith.addf %0, %a : f32
    linalg.yield %1 : f32
  }
  return
}
