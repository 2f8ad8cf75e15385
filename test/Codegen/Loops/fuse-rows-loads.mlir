// RUN: jit-opt %s --jit-fuse-rows | FileCheck %s

#each = affine_map<(d0) -> (d0)>

// The first computation does not go past the one that loads what it gives, though that is no operand: what follows is on its own.
// CHECK-LABEL: func.func @loads(
// CHECK-NOT:     scf.parallel
// CHECK:         linalg.generic {{.*}} ins(%arg0
// CHECK:         memref.load
// CHECK-NOT:     scf.parallel
// CHECK:         linalg.generic {{.*}} ins(%arg0
func.func @loads(%x: memref<512xi64>, %y: memref<512xf32>, %z: memref<512xf32>) {
  %last = arith.constant 511 : index
  %a = memref.alloc() : memref<512xf32>
  linalg.generic {indexing_maps = [#each, #each], iterator_types = ["parallel"]} ins(%x : memref<512xi64>) outs(%a : memref<512xf32>) {
  ^bb0(%in: i64, %out: f32):
    %0 = arith.sitofp %in : i64 to f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#each], iterator_types = ["parallel"]} outs(%y : memref<512xf32>) {
  ^bb0(%out: f32):
    %0 = linalg.index 0 : index
    %1 = arith.subi %last, %0 : index
    %2 = memref.load %a[%1] : memref<512xf32>
    linalg.yield %2 : f32
  }
  linalg.generic {indexing_maps = [#each, #each], iterator_types = ["parallel"]} ins(%x : memref<512xi64>) outs(%z : memref<512xf32>) {
  ^bb0(%in: i64, %out: f32):
    %0 = arith.uitofp %in : i64 to f32
    linalg.yield %0 : f32
  }
  return
}
