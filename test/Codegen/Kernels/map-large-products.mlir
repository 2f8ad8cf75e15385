// RUN: jit-opt %s --jit-gpu-map-kernels=multiprocessors=8 | FileCheck %s

// Where tiles of 128 by 128 have work for each multiprocessor, a thread has 8 by 8 sums; registers are for two blocks of it.
// CHECK-LABEL: func.func @large(
// CHECK:         gpu.launch {{.*}} in (%{{.*}} = %c8{{.*}}) threads({{.*}}) in (%{{.*}} = %c256
// CHECK-SAME:      workgroup(%[[L:.*]] : memref<2x8x128xf32, #gpu.address_space<workgroup>>, %[[R:.*]] : memref<2x8x128xf32, #gpu.address_space<workgroup>>)
// CHECK:           scf.for
// CHECK-COUNT-512:   arith.mulf
// CHECK-NOT:         arith.mulf
// CHECK:         } {jit.kernel = "product", jit.registers = 128
func.func @large(%a: memref<512x64xf32>, %b: memref<64x256xf32>, %c: memref<512x256xf32>) {
  linalg.matmul ins(%a, %b : memref<512x64xf32>, memref<64x256xf32>) outs(%c : memref<512x256xf32>)
  return
}

// Of 64 columns a thread has 8 by 4 sums. The longer side of the tile comes in two halves, so that both sides have slices of 16 summands.
// CHECK-LABEL: func.func @oblong(
// CHECK:         gpu.launch {{.*}} in (%{{.*}} = %c8{{.*}}) threads({{.*}}) in (%{{.*}} = %c256
// CHECK-SAME:      workgroup(%{{.*}} : memref<2x16x64xf32, #gpu.address_space<workgroup>>, %{{.*}} : memref<2x16x64xf32, #gpu.address_space<workgroup>>, %{{.*}} : memref<2x16x64xf32, #gpu.address_space<workgroup>>)
// CHECK:           scf.for
// CHECK-COUNT-512:   arith.mulf
// CHECK-NOT:         arith.mulf
// CHECK:         } {jit.kernel = "product", jit.registers = 128
func.func @oblong(%a: memref<1024x64xf32>, %b: memref<64x64xf32>, %c: memref<1024x64xf32>) {
  linalg.matmul ins(%a, %b : memref<1024x64xf32>, memref<64x64xf32>) outs(%c : memref<1024x64xf32>)
  return
}

// Halves of an image have one table.
#photo = affine_map<(n, f, h, w, c, y, x) -> (n, c, h + y, w + x)>
#taps = affine_map<(n, f, h, w, c, y, x) -> (f, c, y, x)>
#sums = affine_map<(n, f, h, w, c, y, x) -> (n, f, h, w)>
// CHECK-LABEL: func.func @halves(
// CHECK:         workgroup(%{{.*}} : memref<2x16x64xf32, #gpu.address_space<workgroup>>, %{{.*}} : memref<2x16x64xf32, #gpu.address_space<workgroup>>, %{{[^,]*}} : memref<512xi32, #gpu.address_space<workgroup>>, %{{.*}} : memref<2x16x64xf32, #gpu.address_space<workgroup>>)
// CHECK-COUNT-512:   arith.mulf
func.func @halves(%x: memref<4x16x18x18xf32>, %w: memref<64x16x3x3xf32>, %y: memref<4x64x16x16xf32>) {
  linalg.generic {indexing_maps = [#photo, #taps, #sums],
                  iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : memref<4x16x18x18xf32>, memref<64x16x3x3xf32>) outs(%y : memref<4x64x16x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// A multiprocessor would have none.
// CHECK-LABEL: func.func @small(
// CHECK:         workgroup(%{{.*}} : memref<2x16x64xf32
func.func @small(%a: memref<384x64xf32>, %b: memref<64x256xf32>, %c: memref<384x256xf32>) {
  linalg.matmul ins(%a, %b : memref<384x64xf32>, memref<64x256xf32>) outs(%c : memref<384x256xf32>)
  return
}

// Doubles take twice the registers.
// CHECK-LABEL: func.func @doubles(
// CHECK:         workgroup(%{{.*}} : memref<2x16x64xf64
func.func @doubles(%a: memref<512x64xf64>, %b: memref<64x256xf64>, %c: memref<512x256xf64>) {
  linalg.matmul ins(%a, %b : memref<512x64xf64>, memref<64x256xf64>) outs(%c : memref<512x256xf64>)
  return
}

// Of a convolution places of the image are neighbours in memory: threads go along these, in the images and in the output. Where each summand
// is says a table that a thread writes an entry of at a time, read by fours. A filter is one row of memory, of which threads load vectors, and
// store them exchanged by the number of the vector.
#images = affine_map<(n, f, h, w, c, y, x) -> (n, c, h + y, w + x)>
#filters = affine_map<(n, f, h, w, c, y, x) -> (f, c, y, x)>
#output = affine_map<(n, f, h, w, c, y, x) -> (n, f, h, w)>
// CHECK-LABEL: func.func @convolution(
// CHECK-SAME:      memref<2x16x10x10xf32>
// CHECK:         workgroup(%[[FILTERS:.*]] : memref<2x16x64xf32, #gpu.address_space<workgroup>>, %[[IMAGES:.*]] : memref<2x16x64xf32, #gpu.address_space<workgroup>>, %[[TABLE:.*]] : memref<512xi32, #gpu.address_space<workgroup>>)
// CHECK:           memref.store %{{.*}}, %[[TABLE]]
// CHECK:           memref.store %{{.*}}, %[[TABLE]]
// CHECK:           gpu.barrier
// CHECK:           scf.for
// CHECK-NOT:         arith.divui
// CHECK:             vector.load %{{.*}} memref<4xf32, strided<[1], offset: ?>>, vector<4xf32>
// CHECK:             %[[FOUR:.*]] = vector.load %[[TABLE]]{{.*}} vector<4xi32>
// CHECK-NEXT:        vector.to_elements %[[FOUR]]
// CHECK-COUNT-4:     memref.load
// CHECK-NOT:         memref.load
// CHECK-COUNT-256:   arith.mulf
// CHECK:             arith.xori
// CHECK:             %[[VIEW:.*]] = memref.reinterpret_cast %[[FILTERS]] to offset: [%{{.*}}], sizes: [4], strides: [64]
// CHECK-COUNT-4:     memref.store %{{.*}}, %[[VIEW]]
// CHECK:             %[[VIEW:.*]] = memref.reinterpret_cast %[[IMAGES]] to offset: [%{{.*}}], sizes: [4], strides: [64]
// CHECK-COUNT-4:     memref.store %{{.*}}, %[[VIEW]]
func.func @convolution(%x: memref<2x16x10x10xf32>, %w: memref<32x16x3x3xf32>, %y: memref<2x32x8x8xf32>) {
  linalg.generic {indexing_maps = [#images, #filters, #output],
                  iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : memref<2x16x10x10xf32>, memref<32x16x3x3xf32>) outs(%y : memref<2x32x8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  }
  return
}
