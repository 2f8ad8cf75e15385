// RUN: jit-opt %s --verify-diagnostics --jit-gpu-outline

// A grid counts its blocks in 31 bits.
func.func @forward(%x: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  %blocks = arith.constant 2147483648 : index
  %zero = arith.constant 0.0 : f32
  // expected-note @+2 {{this version has no code for it}}
  // expected-error @+1 {{expected a kernel of at most 2147483647 blocks, got 2147483648}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %blocks, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %zero, %x[%tx] : memref<4xf32>
    gpu.terminator
  }
  return
}
