// RUN: jit-opt %s --jit-gpu-map-kernels=multiprocessors=8 | FileCheck %s

// One tile would occupy one of eight multiprocessors: sums of 1024, which are 64 slices, are cut into eight pieces of eight, a block
// each, and a second kernel adds these up in order and goes on with the sums.
// CHECK-LABEL: func.func @long(
// CHECK:         %[[PARTIAL:.*]] = memref.alloc() : memref<8x1x64x64xf32>
// CHECK:         gpu.launch {{.*}} in (%{{.*}} = %c8
// CHECK:           %[[FIRST:.*]] = arith.muli %{{.*}}, %c8
// CHECK:           %[[COUNT:.*]] = arith.subi %{{.*}}, %[[FIRST]]
// CHECK:           %[[END:.*]] = arith.addi %[[FIRST]], %[[COUNT]]
// CHECK:           scf.for %{{.*}} = %[[FIRST]] to %[[END]]
// CHECK:           memref.store %{{.*}}, %[[PARTIAL]]
// CHECK-NOT:       memref.store %{{.*}}, %arg3
// CHECK:         } {jit.kernel = "product"}
// CHECK:         gpu.launch
// CHECK-COUNT-8:   memref.load %[[PARTIAL]]
// CHECK:           memref.load %arg2
// CHECK:           memref.store %{{.*}}, %arg3
// CHECK:         } {jit.kernel = "joined"}
// CHECK-NOT:     gpu.launch
#ij = affine_map<(i, j) -> (i, j)>
#j = affine_map<(i, j) -> (j)>
func.func @long(%a: memref<64x1024xf32>, %b: memref<1024x64xf32>, %bias: memref<64xf32>, %c: memref<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %sums = memref.alloc() : memref<64x64xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<64x64xf32>)
  linalg.matmul ins(%a, %b : memref<64x1024xf32>, memref<1024x64xf32>) outs(%sums : memref<64x64xf32>)
  linalg.generic {indexing_maps = [#ij, #j, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%sums, %bias : memref<64x64xf32>, memref<64xf32>) outs(%c : memref<64x64xf32>) {
  ^bb0(%s: f32, %t: f32, %o: f32):
    %0 = arith.addf %s, %t : f32
    linalg.yield %0 : f32
  }
  return
}

// Short sums are a block's.
// CHECK-LABEL: func.func @short(
// CHECK-NOT:     memref.alloc
// CHECK:         } {jit.kernel = "product"}
// CHECK-NOT:     gpu.launch
func.func @short(%a: memref<64x48xf32>, %b: memref<48x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul ins(%a, %b : memref<64x48xf32>, memref<48x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

// So are those of as many tiles as there are multiprocessors.
// CHECK-LABEL: func.func @wide(
// CHECK-NOT:     memref.alloc
// CHECK:         } {jit.kernel = "product"}
// CHECK-NOT:     gpu.launch
func.func @wide(%a: memref<128x1000xf32>, %b: memref<1000x256xf32>, %c: memref<128x256xf32>) {
  linalg.matmul ins(%a, %b : memref<128x1000xf32>, memref<1000x256xf32>) outs(%c : memref<128x256xf32>)
  return
}

// 61 slices in eight pieces: five of eight and three of seven.
// CHECK-LABEL: func.func @uneven(
// CHECK:         memref.alloc() : memref<8x1x64x64xf32>
// CHECK:           %[[EVEN:.*]] = arith.muli %[[PIECE:.*]], %c7
// CHECK:           %[[MORE:.*]] = arith.minui %[[PIECE]], %c5
// CHECK:           arith.addi %[[EVEN]], %[[MORE]]
// CHECK:         jit.kernel = "joined"
func.func @uneven(%a: memref<64x976xf32>, %b: memref<976x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul ins(%a, %b : memref<64x976xf32>, memref<976x64xf32>) outs(%c : memref<64x64xf32>)
  return
}
