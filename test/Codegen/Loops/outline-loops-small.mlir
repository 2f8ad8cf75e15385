// RUN: jit-opt %s --jit-emit-entry --jit-outline-parallel --jit-outline-loops | FileCheck %s

// A small entry keeps its loops: LLVM sees them together.
// CHECK-LABEL: func.func @small(
// CHECK:         scf.for
// CHECK-NOT:   func.func private
func.func @small(%x: memref<16xf32>, %s: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %f = arith.truncf %s : f64 to f32
  scf.for %i = %c0 to %c16 step %c1 {
    memref.store %f, %x[%i] : memref<16xf32>
  }
  return
}
