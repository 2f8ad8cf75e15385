// RUN: jit-opt %s --jit-fuse-rows=chains --canonicalize | FileCheck %s

#q = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#k = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#out = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#row = affine_map<(d0, d1, d2) -> (d0, d1)>
#v = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>

// Attention: for each head and 64 queries, scores are made, become weights, and are used. The matrix of scores is 64
// rows on the stack.
// CHECK-LABEL: func.func @attention(
// CHECK-SAME:      %[[Q:.*]]: memref<4x128x64xf32>, %[[K:.*]]: memref<4x128x64xf32>, %[[V:.*]]: memref<4x128x64xf32>, %[[Y:.*]]: memref<4x128x64xf32>
// CHECK-NOT:     memref.alloc()
// CHECK:         scf.parallel (%[[H:.*]], %[[I:.*]]) = (%{{.*}}, %{{.*}}) to (%c4{{.*}}, %c128{{.*}}) step (%c1{{.*}}, %c64{{.*}})
// CHECK:           memref.alloca() {{.*}} : memref<8192xf32>
// CHECK:           memref.subview %[[Q]][%[[H]], %[[I]], 0] [1, 64, 64]
// CHECK:           memref.subview %[[K]][%[[H]], 0, 0] [1, 128, 64]
// CHECK:           linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
// CHECK:           memref.subview %[[V]][%[[H]], 0, 0] [1, 128, 64]
// CHECK:           linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
func.func @attention(%q: memref<4x128x64xf32>, %k: memref<4x128x64xf32>, %v: memref<4x128x64xf32>, %y: memref<4x128x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %scores = memref.alloc() : memref<4x128x128xf32>
  linalg.fill ins(%zero : f32) outs(%scores : memref<4x128x128xf32>)
  linalg.generic {indexing_maps = [#q, #k, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : memref<4x128x64xf32>, memref<4x128x64xf32>) outs(%scores : memref<4x128x128xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %s, %0 : f32
    linalg.yield %1 : f32
  }
  %sum = memref.alloc() : memref<4x128xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<4x128xf32>)
  linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%scores : memref<4x128x128xf32>) outs(%sum : memref<4x128xf32>) {
  ^bb0(%a: f32, %s: f32):
    %0 = arith.addf %s, %a : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%sum : memref<4x128xf32>) outs(%scores : memref<4x128x128xf32>) {
  ^bb0(%a: f32, %s: f32):
    %0 = arith.divf %s, %a : f32
    linalg.yield %0 : f32
  }
  linalg.fill ins(%zero : f32) outs(%y : memref<4x128x64xf32>)
  linalg.generic {indexing_maps = [#q, #v, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%scores, %v : memref<4x128x128xf32>, memref<4x128x64xf32>) outs(%y : memref<4x128x64xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %s, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// Two layers are no chain: tiles of rows would read the second one's weights again and again.
// CHECK-LABEL: func.func @layers(
// CHECK-NOT:     scf.parallel
func.func @layers(%x: memref<64x64xf32>, %w: memref<64x64xf32>, %u: memref<64x64xf32>, %y: memref<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %t = memref.alloc() : memref<64x64xf32>
  linalg.fill ins(%zero : f32) outs(%t : memref<64x64xf32>)
  linalg.matmul ins(%x, %w : memref<64x64xf32>, memref<64x64xf32>) outs(%t : memref<64x64xf32>)
  linalg.fill ins(%zero : f32) outs(%y : memref<64x64xf32>)
  linalg.matmul ins(%t, %u : memref<64x64xf32>, memref<64x64xf32>) outs(%y : memref<64x64xf32>)
  return
}
