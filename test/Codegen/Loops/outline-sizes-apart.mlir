// RUN: jit-opt %s --jit-emit-entry --jit-outline-parallel=share-sizes=false --jit-outline-loops='largest=1 share-sizes=false' | FileCheck %s

// Loops that differ in sizes have a function each, which equal ones share.
// CHECK-LABEL: func.func @rows(
// CHECK:         call @rows.loop0(
// CHECK:         call @rows.loop1(
// CHECK:         call @rows.loop0(
// CHECK-NOT:     llvm.mlir.global
// CHECK:       func.func private @rows.loop1(
// CHECK:         arith.constant 20 : index
// CHECK:       func.func private @rows.loop0(
// CHECK:         arith.constant 13 : index
func.func @rows(%s: f64, %arena: memref<4096xi8> {jit.arena}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c13 = arith.constant 13 : index
  %c20 = arith.constant 20 : index
  %c1024 = arith.constant 1024 : index
  %c2048 = arith.constant 2048 : index
  %f = arith.truncf %s : f64 to f32
  %a = memref.view %arena[%c0][] : memref<4096xi8> to memref<13xf32>
  %b = memref.view %arena[%c1024][] : memref<4096xi8> to memref<20xf32>
  %c = memref.view %arena[%c2048][] : memref<4096xi8> to memref<13xf32>
  scf.for %i = %c0 to %c13 step %c1 {
    memref.store %f, %a[%i] : memref<13xf32>
  }
  scf.for %i = %c0 to %c20 step %c1 {
    memref.store %f, %b[%i] : memref<20xf32>
  }
  scf.for %i = %c0 to %c13 step %c1 {
    memref.store %f, %c[%i] : memref<13xf32>
  }
  return
}
