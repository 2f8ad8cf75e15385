// RUN: jit-opt %s --jit-gpu-map-kernels | FileCheck %s

#out = affine_map<(c, y, x, i, j) -> (c, y, x)>
#window = affine_map<(c, y, x, i, j) -> (c, y + i, x + j)>
#filter = affine_map<(c, y, x, i, j) -> (c, i, j)>
#cyx = affine_map<(c, y, x) -> (c, y, x)>

// A filter of its own for each channel: neighbouring windows lie side by side, so a thread has a window, and no threads exchange
// sums.
// CHECK-LABEL: func.func @windows(
// CHECK:         gpu.launch {{.*}} in (%{{.*}} = %c98{{.*}}) threads({{.*}}) in (%{{.*}} = %c128
// CHECK-NOT:       gpu.shuffle
// CHECK:           memref.store %{{.*}}, %arg2
// CHECK-NOT:       gpu.shuffle
// CHECK:         } {jit.kernel = "rows"}
// CHECK-NOT:     gpu.launch
func.func @windows(%x: memref<16x30x30xf32>, %w: memref<16x3x3xf32>, %y: memref<16x28x28xf32>) {
  %zero = arith.constant 0.0 : f32
  %sum = memref.alloc() : memref<16x28x28xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<16x28x28xf32>)
  linalg.generic {indexing_maps = [#window, #filter, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : memref<16x30x30xf32>, memref<16x3x3xf32>) outs(%sum : memref<16x28x28xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %r = arith.addf %o, %p : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#cyx, #cyx], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%sum : memref<16x28x28xf32>) outs(%y : memref<16x28x28xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.maximumf %a, %zero : f32
    linalg.yield %r : f32
  }
  return
}

#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>

// Rows whose elements lie side by side are read by the threads of a warp.
// CHECK-LABEL: func.func @rows(
// CHECK:         gpu.launch
// CHECK:           gpu.shuffle
// CHECK:         } {jit.kernel = "rows"}
func.func @rows(%x: memref<1024x9xf32>, %y: memref<1024x9xf32>) {
  %zero = arith.constant 0.0 : f32
  %sum = memref.alloc() : memref<1024xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<1024xf32>)
  linalg.reduce { arith.addf } ins(%x : memref<1024x9xf32>) outs(%sum : memref<1024xf32>) dimensions = [1]
  linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : memref<1024x9xf32>, memref<1024xf32>) outs(%y : memref<1024x9xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %r = arith.divf %a, %s : f32
    linalg.yield %r : f32
  }
  return
}
