// RUN: jit-opt %s --jit-fuse-rows --canonicalize | FileCheck %s

// A group may share more loops than a small vector has room for.
#all = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12) -> (d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12)>

// CHECK-LABEL: func.func @many_loops(
// CHECK:         scf.parallel
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT:     linalg.generic
func.func @many_loops(%x: memref<2x2x2x2x2x2x2x2x2x2x2x2x2xf32>, %y: memref<2x2x2x2x2x2x2x2x2x2x2x2x2xf32>, %z: memref<2x2x2x2x2x2x2x2x2x2x2x2x2xf32>) {
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%x : memref<2x2x2x2x2x2x2x2x2x2x2x2x2xf32>) outs(%y : memref<2x2x2x2x2x2x2x2x2x2x2x2x2xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = math.exp %a : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%y : memref<2x2x2x2x2x2x2x2x2x2x2x2x2xf32>) outs(%z : memref<2x2x2x2x2x2x2x2x2x2x2x2x2xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = math.exp %a : f32
    linalg.yield %0 : f32
  }
  return
}
