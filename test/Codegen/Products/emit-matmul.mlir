// RUN: jit-opt %s --pass-pipeline='builtin.module(func.func(jit-emit-products{lanes=8 registers=16},canonicalize,cse))' | FileCheck %s

// Twelve accumulators of 6 rows and two vectors; two ragged columns end in a masked store.
// CHECK-LABEL: func.func @matmul
// CHECK-NOT: linalg
// CHECK: scf.for
// CHECK: scf.for {{.*}} iter_args
// CHECK-SAME: vector<8xf32>
// CHECK: memref.load
// CHECK: vector.broadcast
// CHECK: vector.load
// CHECK: vector.fma
// CHECK-NOT: memref.store
// CHECK: vector.maskedstore
// CHECK-NOT: linalg
func.func @matmul(%a: memref<24x40xf32>, %b: memref<40x34xf32>, %c: memref<24x34xf32>) {
  linalg.matmul ins(%a, %b : memref<24x40xf32>, memref<40x34xf32>) outs(%c : memref<24x34xf32>)
  return
}

// f64 has half as many lanes.
// CHECK-LABEL: func.func @doubles
// CHECK: vector.fma {{.*}} : vector<4xf64>
func.func @doubles(%a: memref<24x40xf64>, %b: memref<40x32xf64>, %c: memref<24x32xf64>) {
  linalg.matmul ins(%a, %b : memref<24x40xf64>, memref<40x32xf64>) outs(%c : memref<24x32xf64>)
  return
}
