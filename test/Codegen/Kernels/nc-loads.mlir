// RUN: jit-opt %s --jit-gpu-map-kernels --jit-gpu-nc-loads | FileCheck %s --check-prefixes=CHECK,BROADCAST
// RUN: jit-opt %s --jit-gpu-map-kernels --jit-gpu-nc-loads=policy=all | FileCheck %s --check-prefixes=CHECK,ALL
// RUN: jit-opt %s --jit-gpu-map-kernels --jit-gpu-nc-loads=policy=none | FileCheck %s --check-prefixes=CHECK,NONE

#ij = affine_map<(i, j) -> (i, j)>
#j = affine_map<(i, j) -> (j)>

// CHECK-LABEL:    func.func @bias(
// BROADCAST:        vector.load %arg0{{.*}} {alignment = 16 : i64} :
// BROADCAST:        vector.load %arg1{{.*}} {alignment = 16 : i64, jit.nc} :
// ALL:              vector.load %arg0{{.*}} {alignment = 16 : i64, jit.nc} :
// ALL:              vector.load %arg1{{.*}} {alignment = 16 : i64, jit.nc} :
// NONE:             vector.load %arg0{{.*}} {alignment = 16 : i64} :
// NONE:             vector.load %arg1{{.*}} {alignment = 16 : i64} :
func.func @bias(%x: memref<64x32xf32>, %row: memref<32xf32>, %y: memref<64x32xf32>) {
  linalg.generic {indexing_maps = [#ij, #j, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x, %row : memref<64x32xf32>, memref<32xf32>) outs(%y : memref<64x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  }
  return
}

// Memory that the kernel writes is never read that way.
// CHECK-LABEL:    func.func @inPlace(
// BROADCAST:        vector.load %arg1{{.*}} {alignment = 16 : i64, jit.nc} :
// ALL:              vector.load %arg1{{.*}} {alignment = 16 : i64, jit.nc} :
// CHECK:            vector.load %arg0{{.*}} {alignment = 16 : i64} :
func.func @inPlace(%x: memref<64x32xf32>, %row: memref<32xf32>) {
  linalg.generic {indexing_maps = [#j, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%row : memref<32xf32>) outs(%x : memref<64x32xf32>) {
  ^bb0(%b: f32, %o: f32):
    %0 = arith.addf %o, %b : f32
    linalg.yield %0 : f32
  }
  return
}
