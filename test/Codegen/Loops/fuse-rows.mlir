// RUN: jit-opt %s --jit-fuse-rows --canonicalize | FileCheck %s

#row = affine_map<(d0, d1) -> (d0, d1)>
#each = affine_map<(d0, d1) -> (d0)>
#first = affine_map<(d0, d1) -> (d0, 0)>

// A reduction along rows and what is computed from it: one loop, in which only one row of the sums and of what is
// not seen outside exists.
// CHECK-LABEL: func.func @norm(
// CHECK-NOT:     memref.alloc()
// CHECK:         scf.parallel (%[[I:.*]]) = (%{{.*}}) to (%c64
// CHECK:           %[[SUM:.*]] = memref.alloca() {{.*}} : memref<1xf32>
// CHECK:           %[[ROW:.*]] = memref.alloca() {{.*}} : memref<1024xf32>
// CHECK:           memref.subview %{{.*}}[%[[I]], 0] [1, 1024]
// CHECK:           linalg.generic {{.*}} iterator_types = ["reduction"]
// CHECK:           linalg.generic {{.*}} iterator_types = ["parallel"]
// CHECK:           linalg.generic {{.*}} iterator_types = ["parallel"]
// CHECK:         } {jit.flops =
func.func @norm(%x: memref<64x1024xf32>, %y: memref<64x1024xf32>) {
  %zero = arith.constant 0.0 : f32
  %sum = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<64xf32>)
  linalg.generic {indexing_maps = [#row, #each], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<64x1024xf32>) outs(%sum : memref<64xf32>) {
  ^bb0(%a: f32, %s: f32):
    %0 = arith.addf %s, %a : f32
    linalg.yield %0 : f32
  }
  %column = memref.expand_shape %sum [[0, 1]] output_shape [64, 1] : memref<64xf32> into memref<64x1xf32>
  %t = memref.alloc() : memref<64x1024xf32>
  linalg.generic {indexing_maps = [#row, #first, #row], iterator_types = ["parallel", "parallel"]}
      ins(%x, %column : memref<64x1024xf32>, memref<64x1xf32>) outs(%t : memref<64x1024xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %0 = arith.divf %a, %s : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%t : memref<64x1024xf32>) outs(%y : memref<64x1024xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = math.exp %a : f32
    linalg.yield %0 : f32
  }
  return
}

// Channels in the middle of the sizes are rows too.
// CHECK-LABEL: func.func @channels(
// CHECK:         scf.parallel (%[[C:.*]]) = (%{{.*}}) to (%c16
// CHECK:           memref.subview %{{.*}}[0, %[[C]], 0] [4, 1, 49]
// CHECK:           linalg.generic {{.*}} iterator_types = ["reduction", "reduction"]
// CHECK:           linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
// CHECK-NOT:     linalg.generic
func.func @channels(%x: memref<4x16x49xf32>, %sum: memref<16xf32>, %y: memref<4x16x49xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1)>],
                  iterator_types = ["reduction", "parallel", "reduction"]}
      ins(%x : memref<4x16x49xf32>) outs(%sum : memref<16xf32>) {
  ^bb0(%a: f32, %s: f32):
    %0 = arith.addf %s, %a : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1)>,
                                   affine_map<(d0, d1, d2) -> (d0, d1, d2)>],
                  iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %sum : memref<4x16x49xf32>, memref<16xf32>) outs(%y : memref<4x16x49xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %0 = arith.subf %a, %s : f32
    linalg.yield %0 : f32
  }
  return
}

// A row that another row's result is needed for is none.
// CHECK-LABEL: func.func @transposed(
// CHECK-NOT:     scf.parallel
func.func @transposed(%x: memref<32x32xf32>, %t: memref<32x32xf32>, %y: memref<32x32xf32>) {
  linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<32x32xf32>) outs(%t : memref<32x32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = math.exp %a : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, #row], iterator_types = ["parallel", "parallel"]}
      ins(%t : memref<32x32xf32>) outs(%y : memref<32x32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = math.exp %a : f32
    linalg.yield %0 : f32
  }
  return
}

// What stands between and fills a buffer for an op after it, which is no member, keeps its place.
// CHECK-LABEL: func.func @between(
// CHECK:         linalg.fill
// CHECK:         memref.copy
// CHECK:         scf.parallel
func.func @between(%x: memref<32x64xf32>, %a: memref<32x64xf32>, %s: memref<32xf32>, %c: memref<32xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<32x64xf32>) outs(%a : memref<32x64xf32>) {
  ^bb0(%e: f32, %o: f32):
    %0 = math.exp %e : f32
    linalg.yield %0 : f32
  }
  linalg.fill ins(%zero : f32) outs(%s : memref<32xf32>)
  memref.copy %s, %c : memref<32xf32> to memref<32xf32>
  linalg.generic {indexing_maps = [#row, #each], iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<32x64xf32>) outs(%s : memref<32xf32>) {
  ^bb0(%e: f32, %o: f32):
    %0 = arith.addf %o, %e : f32
    linalg.yield %0 : f32
  }
  return
}

// A number for each row is part of it, though vectors could run along the rows; short rows are not cut.
// CHECK-LABEL: func.func @numbers(
// CHECK:         scf.parallel (%{{.*}}, %{{.*}}) = (%{{.*}}) to (%c4{{.*}}, %c16{{.*}})
// CHECK-LABEL: func.func @short(
// CHECK:         scf.parallel (%{{.*}}) = (%{{.*}}) to (%c16{{.*}}) step
func.func @numbers(%x: memref<4x16x128xf32>, %s: memref<4x16xf32>, %y: memref<4x16xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : memref<4x16x128xf32>) outs(%s : memref<4x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  }
  linalg.exp ins(%s : memref<4x16xf32>) outs(%y : memref<4x16xf32>)
  return
}
func.func @short(%x: memref<16x16x7xf32>, %t: memref<16x16x7xf32>, %y: memref<16x16x7xf32>) {
  linalg.exp ins(%x : memref<16x16x7xf32>) outs(%t : memref<16x16x7xf32>)
  linalg.exp ins(%t : memref<16x16x7xf32>) outs(%y : memref<16x16x7xf32>)
  return
}
