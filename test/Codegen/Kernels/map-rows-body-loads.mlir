// RUN: jit-opt %s --jit-gpu-map-kernels | FileCheck %s

#row = affine_map<(i, j) -> (i)>
#all = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i) -> (i)>

// What is between loads in its body what the first op writes: it cannot be moved before that, nor the last one before it.
// CHECK-LABEL: func.func @written(
// CHECK:         gpu.launch
// CHECK:         } {jit.kernel = "rows"}
// CHECK:         gpu.launch
// CHECK:           memref.load %[[SUMS:.*]][
// CHECK:           vector.store %{{.*}}, %[[TURNED:alloc[_0-9]*]][
// CHECK:         } {jit.kernel = "pointwise"}
// CHECK:         gpu.launch
// CHECK:           %{{.*}} = {{.*}} %[[TURNED]][
func.func @written(%x: memref<64x64xf32>, %y: memref<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %last = arith.constant 63 : index
  %sums = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<64xf32>)
  linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<64x64xf32>) outs(%sums : memref<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  }
  %turned = memref.alloc() : memref<64xf32>
  linalg.generic {indexing_maps = [#i], iterator_types = ["parallel"]} outs(%turned : memref<64xf32>) {
  ^bb0(%out: f32):
    %at = linalg.index 0 : index
    %from = arith.subi %last, %at : index
    %0 = memref.load %sums[%from] : memref<64xf32>
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %turned : memref<64x64xf32>, memref<64xf32>) outs(%y : memref<64x64xf32>) {
  ^bb0(%in: f32, %shift: f32, %out: f32):
    %0 = arith.subf %in, %shift : f32
    linalg.yield %0 : f32
  }
  return
}

// A table that nobody writes: rows that are looked up are in the kernel of what goes on with them.
// CHECK-LABEL: func.func @table(
// CHECK:         gpu.launch
// CHECK:           memref.load %arg0[
// CHECK:         } {jit.kernel = "rows"}
// CHECK-NOT:     gpu.launch
func.func @table(%table: memref<100x64xf32>, %numbers: memref<32xindex>, %sums: memref<32xf32>) {
  %zero = arith.constant 0.0 : f32
  %found = memref.alloc() : memref<32x64xf32>
  linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%numbers : memref<32xindex>) outs(%found : memref<32x64xf32>) {
  ^bb0(%number: index, %out: f32):
    %j = linalg.index 1 : index
    %0 = memref.load %table[%number, %j] : memref<100x64xf32>
    linalg.yield %0 : f32
  }
  linalg.fill ins(%zero : f32) outs(%sums : memref<32xf32>)
  linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%found : memref<32x64xf32>) outs(%sums : memref<32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  }
  return
}
