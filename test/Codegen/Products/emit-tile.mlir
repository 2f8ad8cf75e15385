// RUN: jit-opt %s --pass-pipeline='builtin.module(func.func(jit-emit-products{lanes=16 registers=32}))' | FileCheck %s

// The tile that an op asks for: two vectors by four rows are eight accumulators, not the model's choice.
// CHECK-LABEL: func.func @asked
// CHECK: scf.for {{.*}} iter_args({{(%[^,]+, ){7}%[^,]+}}) -> (vector<16xf32>
func.func @asked(%a: memref<48x256xf32>, %b: memref<256x64xf32>, %out: memref<48x64xf32>) {
  linalg.matmul {jit.tile = array<i64: 2, 4, 1>} ins(%a, %b : memref<48x256xf32>, memref<256x64xf32>) outs(%out : memref<48x64xf32>)
  return
}

// One that there is not is no tile at all: the model's.
// CHECK-LABEL: func.func @impossible
// CHECK: vector.fma
func.func @impossible(%a: memref<48x256xf32>, %b: memref<256x64xf32>, %out: memref<48x64xf32>) {
  linalg.matmul {jit.tile = array<i64: 77, 3, 1>} ins(%a, %b : memref<48x256xf32>, memref<256x64xf32>) outs(%out : memref<48x64xf32>)
  return
}
