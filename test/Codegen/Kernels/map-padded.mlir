// RUN: jit-opt %s --jit-gpu-map-kernels=multiprocessors=8 | FileCheck %s

// Zeros around the image of a convolution in f32 are not stored: the kernel reads the image itself. A thread has a bit for each tap along each
// dimension that says whether it is inside, and a table says which of these a summand needs.
#image = affine_map<(n, f, h, w, c, y, x) -> (n, c, h * 2 + y, w * 2 + x)>
#filters = affine_map<(n, f, h, w, c, y, x) -> (f, c, y, x)>
#output = affine_map<(n, f, h, w, c, y, x) -> (n, f, h, w)>
// CHECK-LABEL: func.func @padded(
// CHECK-NOT:     "pointwise"
// CHECK:         workgroup({{.*}}, %[[OFFSETS:[^,]*]] : memref<512xi32, #gpu.address_space<workgroup>>, %[[NEEDED:[^,]*]] : memref<512xi32, #gpu.address_space<workgroup>>)
// CHECK:           %[[IN:.*]] = arith.cmpi ult, %{{.*}}, %c15
// CHECK:           arith.select %[[IN]], %c1_i32{{.*}}, %c0_i32
// CHECK:           memref.store %{{.*}}, %[[OFFSETS]]
// CHECK:           arith.shli
// CHECK:           memref.store %{{.*}}, %[[NEEDED]]
// CHECK:           scf.for
// CHECK:             %[[TAP:.*]] = arith.andi %{{.*}}, %[[NEED:.*]] : i32
// CHECK:             %[[INSIDE:.*]] = arith.cmpi eq, %[[TAP]], %[[NEED]]
// CHECK:             scf.if %[[INSIDE]]
// CHECK:               memref.reinterpret_cast %arg0
// CHECK:               memref.load
// CHECK:         } {jit.kernel = "product"}
func.func @padded(%x: memref<2x4x15x15xf32>, %w: memref<32x4x3x3xf32>, %y: memref<2x32x8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %padded = memref.alloc() : memref<2x4x17x17xf32>
  linalg.fill ins(%zero : f32) outs(%padded : memref<2x4x17x17xf32>)
  %inner = memref.subview %padded[0, 0, 1, 1] [2, 4, 15, 15] [1, 1, 1, 1] : memref<2x4x17x17xf32> to memref<2x4x15x15xf32, strided<[1156, 289, 17, 1], offset: 18>>
  linalg.copy ins(%x : memref<2x4x15x15xf32>) outs(%inner : memref<2x4x15x15xf32, strided<[1156, 289, 17, 1], offset: 18>>)
  linalg.generic {indexing_maps = [#image, #filters, #output],
                  iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%padded, %w : memref<2x4x17x17xf32>, memref<32x4x3x3xf32>) outs(%y : memref<2x32x8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// Where the product's own kernel writes to the image, other blocks would read what it wrote.
#place = affine_map<(n, c, h, w) -> (n, c, h, w)>
#near = affine_map<(n, f, h, w, c, y, x) -> (n, c, h + y, w + x)>
// CHECK-LABEL: func.func @in_place(
// CHECK:         jit.kernel = "pointwise"
// CHECK:         jit.kernel = "pointwise"
// CHECK:         jit.kernel = "product"
func.func @in_place(%x: memref<1x32x16x16xf32>, %w: memref<32x32x3x3xf32>) {
  %zero = arith.constant 0.0 : f32
  %padded = memref.alloc() : memref<1x32x18x18xf32>
  linalg.fill ins(%zero : f32) outs(%padded : memref<1x32x18x18xf32>)
  %inner = memref.subview %padded[0, 0, 1, 1] [1, 32, 16, 16] [1, 1, 1, 1] : memref<1x32x18x18xf32> to memref<1x32x16x16xf32, strided<[10368, 324, 18, 1], offset: 19>>
  linalg.copy ins(%x : memref<1x32x16x16xf32>) outs(%inner : memref<1x32x16x16xf32, strided<[10368, 324, 18, 1], offset: 19>>)
  %sums = memref.alloc() : memref<1x32x16x16xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<1x32x16x16xf32>)
  linalg.generic {indexing_maps = [#near, #filters, #output],
                  iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%padded, %w : memref<1x32x18x18xf32>, memref<32x32x3x3xf32>) outs(%sums : memref<1x32x16x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  }
  linalg.generic {indexing_maps = [#place, #place], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%sums : memref<1x32x16x16xf32>) outs(%x : memref<1x32x16x16xf32>) {
  ^bb0(%s: f32, %o: f32):
    %0 = arith.maximumf %s, %zero : f32
    linalg.yield %0 : f32
  }
  return
}

// A window of more places than an integer has bits: 20 and 20.
// CHECK-LABEL: func.func @large(
// CHECK:         jit.kernel = "pointwise"
// CHECK:         jit.kernel = "pointwise"
// CHECK:         jit.kernel = "product"
func.func @large(%x: memref<1x2x30x30xf32>, %w: memref<32x2x20x20xf32>, %y: memref<1x32x13x13xf32>) {
  %zero = arith.constant 0.0 : f32
  %padded = memref.alloc() : memref<1x2x32x32xf32>
  linalg.fill ins(%zero : f32) outs(%padded : memref<1x2x32x32xf32>)
  %inner = memref.subview %padded[0, 0, 1, 1] [1, 2, 30, 30] [1, 1, 1, 1] : memref<1x2x32x32xf32> to memref<1x2x30x30xf32, strided<[2048, 1024, 32, 1], offset: 33>>
  linalg.copy ins(%x : memref<1x2x30x30xf32>) outs(%inner : memref<1x2x30x30xf32, strided<[2048, 1024, 32, 1], offset: 33>>)
  linalg.generic {indexing_maps = [#near, #filters, #output],
                  iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%padded, %w : memref<1x2x32x32xf32>, memref<32x2x20x20xf32>) outs(%y : memref<1x32x13x13xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  }
  return
}
