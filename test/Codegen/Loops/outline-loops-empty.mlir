// RUN: jit-opt %s --jit-emit-entry --jit-outline-parallel --jit-outline-loops=largest=1 --canonicalize | FileCheck %s

// A buffer without elements has no strides that its sizes tell.
// CHECK-LABEL: func.func private @none.loop0(
// CHECK:         memref<3x0xf32>
func.func @none(%s: f64, %arena: memref<256xi8> {jit.arena}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %n = arith.fptosi %s : f64 to i64
  %end = arith.index_cast %n : i64 to index
  %f = arith.truncf %s : f64 to f32
  %x = memref.view %arena[%c64][] : memref<256xi8> to memref<3x0xf32>
  scf.for %i = %c0 to %end step %c1 {
    memref.store %f, %x[%c0, %i] : memref<3x0xf32>
  }
  return
}
