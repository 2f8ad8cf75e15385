// RUN: jit-opt %s --jit-outline-parallel | FileCheck %s

// CHECK: #[[UNROLL:.*]] = #llvm.loop_unroll<disable = true>
// CHECK: #[[MARK:.*]] = #llvm.loop_annotation<unroll = #[[UNROLL]]>

// A loop around loops that only write; the innermost is LLVM's to turn into vectors or a memset.
// CHECK-LABEL: func.func @border(
// CHECK: scf.for
// CHECK: scf.for
// CHECK: memref.store
// CHECK-NEXT: }
// CHECK-NOT: loop_annotation
// CHECK: } {llvm.loop_annotation = #[[MARK]]}
func.func @border(%m: memref<28x30x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c28 = arith.constant 28 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  scf.parallel (%i) = (%c0) to (%c28) step (%c1) {
    scf.for %j = %c0 to %c64 step %c1 {
      memref.store %zero, %m[%i, %c0, %j] : memref<28x30x64xf32>
    }
    scf.reduce
  } {jit.flops = 1 : i64}
  return
}

// CHECK-LABEL: func.func @copy(
// CHECK-NOT: loop_annotation
func.func @copy(%from: memref<28x64xf32>, %m: memref<28x30x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c28 = arith.constant 28 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c28 step %c1 {
    scf.for %j = %c0 to %c64 step %c1 {
      %x = memref.load %from[%i, %j] : memref<28x64xf32>
      memref.store %x, %m[%i, %c0, %j] : memref<28x30x64xf32>
    }
  }
  return
}
