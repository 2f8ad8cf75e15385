// RUN: jit-opt %s --jit-gpu-map-kernels | FileCheck %s

// A sum over the rows of a matrix, as of the gradient of a bias: a thread for each column of each of 64 pieces of 64 rows, then
// one for each column.
// CHECK-LABEL: func.func @columns(
// CHECK:         %[[P:.*]] = memref.alloc() : memref<64x256xf32>
// CHECK:         gpu.launch
// CHECK:           scf.for {{.*}} step %c1
// CHECK:             arith.addf
// CHECK:           memref.store %{{.*}}, %[[P]]
// CHECK:         } {jit.kernel = "pieces"}
// CHECK:         gpu.launch
// CHECK:           scf.for {{.*}} to %c64
// CHECK:             memref.load %[[P]]
// CHECK:           memref.load %arg1
// CHECK:           memref.store %{{.*}}, %arg1
// CHECK:         } {jit.kernel = "joined"}
// CHECK-NOT:     atomic
func.func @columns(%x: memref<4096x256xf32>, %y: memref<256xf32>) {
  linalg.reduce { arith.addf } ins(%x : memref<4096x256xf32>) outs(%y : memref<256xf32>) dimensions = [0]
  return
}

// A sum of everything: a block for each piece, a warp joins them.
// CHECK-LABEL: func.func @all(
// CHECK:         memref.alloc() : memref<244x1xf32>
// CHECK:         gpu.launch {{.*}} in (%{{.*}} = %c244{{.*}}) threads({{.*}}) in (%{{.*}} = %c256
// CHECK:           arith.minui
// CHECK:           gpu.barrier
// CHECK:         } {jit.kernel = "pieces"}
// CHECK:         gpu.launch {{.*}} in (%{{.*}} = %c1{{.*}}) threads({{.*}}) in (%{{.*}} = %c32
// CHECK:           gpu.shuffle
// CHECK:         } {jit.kernel = "joined"}
func.func @all(%x: memref<1000000xf32>, %y: memref<f32>) {
  linalg.reduce { arith.addf } ins(%x : memref<1000000xf32>) outs(%y : memref<f32>) dimensions = [0]
  return
}
