// RUN: jit-opt %s --jit-gpu-map-kernels | FileCheck %s

#ij = affine_map<(i, j) -> (i, j)>
#ji = affine_map<(i, j) -> (j, i)>
#i = affine_map<(i, j) -> (i)>
#j = affine_map<(i, j) -> (j)>

// What another row has written cannot be read in the same kernel.
// CHECK-LABEL: func.func @transposed(
// CHECK:         } {jit.kernel = "rows"}
// CHECK:         } {jit.kernel = "pointwise"}
func.func @transposed(%x: memref<64x64xf32>, %s: memref<64xf32>, %y: memref<64x64xf32>, %z: memref<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%s : memref<64xf32>)
  linalg.reduce { arith.addf } ins(%x : memref<64x64xf32>) outs(%s : memref<64xf32>) dimensions = [1]
  linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : memref<64x64xf32>, memref<64xf32>) outs(%y : memref<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.subf %a, %b : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#ji, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%y : memref<64x64xf32>) outs(%z : memref<64x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  }
  return
}

// Nor may a row be overwritten that others still read.
// CHECK-LABEL: func.func @overwritten(
// CHECK:         } {jit.kernel = "rows"}
// CHECK:         } {jit.kernel = "pointwise"}
func.func @overwritten(%x: memref<64x64xf32>, %s: memref<64xf32>, %y: memref<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%s : memref<64xf32>)
  linalg.generic {indexing_maps = [#ij, #ji, #i], iterator_types = ["parallel", "reduction"]}
      ins(%x, %y : memref<64x64xf32>, memref<64x64xf32>) outs(%s : memref<64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    %r = arith.addf %o, %d : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : memref<64x64xf32>, memref<64xf32>) outs(%y : memref<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.subf %a, %b : f32
    linalg.yield %r : f32
  }
  return
}

// Few rows that do not fit into registers are the work of the whole device.
// CHECK-LABEL: func.func @long(
// CHECK-COUNT-2: } {jit.kernel = "pointwise"}
func.func @long(%x: memref<2x100000xf32>, %s: memref<2xf32>, %y: memref<2x100000xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%s : memref<2xf32>)
  linalg.reduce { arith.addf } ins(%x : memref<2x100000xf32>) outs(%s : memref<2xf32>) dimensions = [1]
  linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : memref<2x100000xf32>, memref<2xf32>) outs(%y : memref<2x100000xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.subf %a, %b : f32
    linalg.yield %r : f32
  }
  return
}
