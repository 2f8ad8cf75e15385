// RUN: jit-opt %s --jit-emit-entry --jit-outline-parallel --jit-outline-loops=largest=1 | FileCheck %s

// What is read between loops that a buffer ties together, and used after them, is not read again there: the loops may have written to it.
// CHECK-LABEL: func.func @read_between(
// CHECK:         %[[WORD:.*]] = memref.load
// CHECK-NEXT:    %[[IS:.*]] = arith.trunci %[[WORD]]
// CHECK:         scf.for
// CHECK-NOT:     memref.load
// CHECK:         arith.select %[[IS]]
func.func @read_between(%s: f64, %out: memref<f64>, %arena: memref<256xi8> {jit.arena}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %byte = arith.fptosi %s : f64 to i8
  %zero = arith.constant 0.0 : f64
  %first = arith.cmpf ogt, %s, %zero : f64
  %x = memref.view %arena[%c0][] : memref<256xi8> to memref<16xi8>
  %y = memref.view %arena[%c64][] : memref<256xi8> to memref<16xi8>
  %either = scf.if %first -> memref<16xi8> {
    memref.store %byte, %x[%c0] : memref<16xi8>
    scf.yield %x : memref<16xi8>
  } else {
    scf.yield %y : memref<16xi8>
  }
  %word = memref.load %x[%c0] : memref<16xi8>
  %is = arith.trunci %word : i8 to i1
  scf.for %i = %c0 to %c16 step %c1 {
    %flag = arith.extui %is : i1 to i8
    memref.store %flag, %either[%i] : memref<16xi8>
  }
  %chosen = arith.select %is, %s, %zero : f64
  memref.store %chosen, %out[] : memref<f64>
  return
}
