// RUN: jit-opt %s --pass-pipeline='builtin.module(func.func(jit-emit-products{lanes=16 registers=32},canonicalize,cse))' | FileCheck %s

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#out = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

// Weights are read as they lie and widened in registers; what is stored is narrowed there.
// CHECK-LABEL: func.func @narrow_weights
// CHECK-NOT: linalg
// CHECK: %[[READ:.*]] = vector.load {{.*}} vector<16xf16>
// CHECK: %[[WIDE:.*]] = arith.extf %[[READ]] : vector<16xf16> to vector<16xf32>
// CHECK: vector.fma %{{.*}}, %[[WIDE]]
// CHECK: %[[SUM:.*]] = arith.truncf %{{.*}} : vector<16xf32> to vector<16xf16>
// CHECK: vector.store %[[SUM]]
// CHECK-NOT: linalg
func.func @narrow_weights(%a: memref<32x64xf32>, %b: memref<64x32xf16>, %out: memref<32x32xf16>) {
  %zero = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<32x32xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<32x32xf32>)
  linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : memref<32x64xf32>, memref<64x32xf16>) outs(%c : memref<32x32xf32>) {
  ^bb0(%x: f32, %y: f16, %z: f32):
    %w = arith.extf %y : f16 to f32
    %p = arith.mulf %x, %w : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%c : memref<32x32xf32>) outs(%out : memref<32x32xf16>) {
  ^bb0(%x: f32, %y: f16):
    %h = arith.truncf %x : f32 to f16
    linalg.yield %h : f16
  }
  return
}

// Words of two bf16 are multiplied by one instruction.
// CHECK-LABEL: func.func @pairs
// CHECK-NOT: linalg
// CHECK: memref.load {{.*}} : memref<{{.*}}xi32
// CHECK: vector.broadcast {{.*}} : i32 to vector<16xi32>
// CHECK: %[[A:.*]] = vector.bitcast {{.*}} : vector<16xi32> to vector<32xbf16>
// CHECK: x86vector.avx512.dot %{{.*}} : vector<32xbf16> -> vector<16xf32>
// CHECK-NOT: linalg
func.func @pairs(%a: memref<32x32xi32>, %b: memref<32x32xi32>, %c: memref<32x32xf32>) {
  linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : memref<32x32xi32>, memref<32x32xi32>) outs(%c : memref<32x32xf32>) {
  ^bb0(%x: i32, %y: i32, %z: f32):
    %wx = vector.broadcast %x : i32 to vector<1xi32>
    %px = vector.bitcast %wx : vector<1xi32> to vector<2xbf16>
    %fx = arith.extf %px : vector<2xbf16> to vector<2xf32>
    %wy = vector.broadcast %y : i32 to vector<1xi32>
    %py = vector.bitcast %wy : vector<1xi32> to vector<2xbf16>
    %fy = arith.extf %py : vector<2xbf16> to vector<2xf32>
    %p = arith.mulf %fx, %fy : vector<2xf32>
    %s = vector.reduction <add>, %p, %z : vector<2xf32> into f32
    linalg.yield %s : f32
  }
  return
}
