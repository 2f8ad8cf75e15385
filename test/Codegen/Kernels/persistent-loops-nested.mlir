// RUN: jit-opt %s --jit-gpu-persistent-loops | FileCheck %s

// Blocks that wait for each other are those of a launch: the outer loop stays.
// CHECK-LABEL: func.func @forward(
// CHECK:         scf.for
// CHECK:           gpu.launch
// CHECK:           {jit.kernel = "scalar"}
// CHECK:           gpu.launch
// CHECK:             scf.for
// CHECK:           {jit.cooperative, jit.kernel = "loop"}
// CHECK-NOT:     jit.cooperative
func.func @forward(%x: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %v = arith.constant 1.0 : f32
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %k = %c0 to %c8 step %c1 {
      gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
          threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
        memref.store %v, %x[%tx] : memref<32xf32>
        gpu.terminator
      }
    }
  }
  return
}
