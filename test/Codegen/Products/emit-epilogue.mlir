// RUN: jit-opt %s --pass-pipeline='builtin.module(func.func(jit-emit-products{lanes=8 registers=16},canonicalize,cse))' | FileCheck %s

#id = affine_map<(m, n) -> (m, n)>
#column = affine_map<(m, n) -> (n)>

// The bias, the activation and the residual are computed on the sums in registers; the buffer between
// the product and them is gone.
// CHECK-LABEL: func.func @bias_relu_residual
// CHECK-NOT: memref.alloc
// CHECK-NOT: linalg
// CHECK: vector.fma
// CHECK: %[[BIAS:.*]] = vector.load {{.*}} : memref<16xf32, strided<[1]>>
// CHECK: %[[SUM:.*]] = arith.addf %[[BIAS]]
// CHECK: %[[REST:.*]] = vector.load {{.*}} : memref<128xf32, strided<[1]>>
// CHECK: %[[MAX:.*]] = arith.maximumf %[[SUM]]
// CHECK: %[[ALL:.*]] = arith.addf %[[MAX]], %[[REST]]
// CHECK: vector.store %[[ALL]]
// CHECK-NOT: linalg
func.func @bias_relu_residual(%a: memref<8x8xf32>, %b: memref<8x16xf32>, %bias: memref<16xf32>,
                              %rest: memref<8x16xf32>, %out: memref<8x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<8x16xf32>
  linalg.generic {indexing_maps = [#column, #id], iterator_types = ["parallel", "parallel"]}
    ins(%bias : memref<16xf32>) outs(%c : memref<8x16xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  linalg.matmul ins(%a, %b : memref<8x8xf32>, memref<8x16xf32>) outs(%c : memref<8x16xf32>)
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%c, %rest : memref<8x16xf32>, memref<8x16xf32>) outs(%out : memref<8x16xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %m = arith.maximumf %x, %zero : f32
    %s = arith.addf %m, %y : f32
    linalg.yield %s : f32
  }
  return
}

// Somebody else wants the sums as they are.
// CHECK-LABEL: func.func @sums_used_twice
// CHECK: memref.alloc
// CHECK: vector.fma
// CHECK: linalg.generic
// CHECK: memref.copy
func.func @sums_used_twice(%a: memref<8x8xf32>, %b: memref<8x16xf32>, %out: memref<8x16xf32>, %sums: memref<8x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<8x16xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<8x16xf32>)
  linalg.matmul ins(%a, %b : memref<8x8xf32>, memref<8x16xf32>) outs(%c : memref<8x16xf32>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%c : memref<8x16xf32>) outs(%out : memref<8x16xf32>) {
  ^bb0(%x: f32, %z: f32):
    %m = arith.maximumf %x, %zero : f32
    linalg.yield %m : f32
  }
  memref.copy %c, %sums : memref<8x16xf32> to memref<8x16xf32>
  return
}
