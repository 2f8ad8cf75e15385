// RUN: jit-opt %s --jit-gpu-persistent-loops=multiprocessors=4 | FileCheck %s --implicit-check-not=jit.cooperative

// Work of more than 8 blocks for each multiprocessor.
// CHECK-LABEL: func.func @large(
// CHECK:         scf.for
func.func @large(%x: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c33 = arith.constant 33 : index
  %v = arith.constant 1.0 : f32
  scf.for %k = %c0 to %c8 step %c1 {
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c33, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      memref.store %v, %x[%bx] : memref<64xf32>
      gpu.terminator
    }
  }
  return
}

// A barrier in a block of fewer threads than another phase's.
// CHECK-LABEL: func.func @barriers(
// CHECK:         scf.for
func.func @barriers(%x: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %v = arith.constant 1.0 : f32
  scf.for %k = %c0 to %c8 step %c1 {
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
      gpu.barrier
      memref.store %v, %x[%tx] : memref<64xf32>
      gpu.terminator
    }
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
      memref.store %v, %x[%tx] : memref<64xf32>
      gpu.terminator
    }
  }
  return
}

// Threads of a part of a warp exchange numbers.
// CHECK-LABEL: func.func @warps(
// CHECK:         scf.for
func.func @warps(%x: memref<64xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %o = arith.constant 1 : i32
  %w = arith.constant 32 : i32
  scf.for %k = %c0 to %c8 step %c1 {
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c8, %sy = %c1, %sz = %c1) {
      %s, %ok = gpu.shuffle xor %o, %o, %w : i32
      memref.store %s, %x[%tx] : memref<64xi32>
      gpu.terminator
    }
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
      memref.store %o, %x[%tx] : memref<64xi32>
      gpu.terminator
    }
  }
  return
}

// The host reads a number, or goes on with a buffer.
// CHECK-LABEL: func.func @reads(
// CHECK:         scf.for
// CHECK:         scf.for
func.func @reads(%x: memref<i64>, %y: memref<i64>) -> memref<i64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %k = %c0 to %c8 step %c1 {
    %n = memref.load %x[] {jit.read} : memref<i64>
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      memref.store %n, %y[] : memref<i64>
      gpu.terminator
    }
  }
  %r = scf.for %k = %c0 to %c8 step %c1 iter_args(%a = %x) -> (memref<i64>) {
    memref.copy %a, %y : memref<i64> to memref<i64>
    scf.yield %y : memref<i64>
  }
  return %r : memref<i64>
}

// More shared memory than a kernel declares.
// CHECK-LABEL: func.func @shared(
// CHECK:         scf.for
func.func @shared(%x: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %v = arith.constant 1.0 : f32
  scf.for %k = %c0 to %c8 step %c1 {
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1)
        workgroup(%s : memref<8192xf32, #gpu.address_space<workgroup>>) {
      memref.store %v, %s[%tx] : memref<8192xf32, #gpu.address_space<workgroup>>
      gpu.terminator
    }
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1)
        workgroup(%s : memref<64x128xf32, #gpu.address_space<workgroup>>) {
      memref.store %v, %s[%c0, %tx] : memref<64x128xf32, #gpu.address_space<workgroup>>
      gpu.terminator
    }
  }
  return
}
