// RUN: jit-opt %s --split-input-file --verify-diagnostics --jit-gpu-map-kernels --jit-gpu-outline --jit-gpu-emulate

func.func @product(%x: memref<?x8xf32>, %y: memref<8x8xf32>, %z: memref<?x8xf32>) {
  // expected-error @+1 {{expected static sizes}}
  linalg.matmul ins(%x, %y : memref<?x8xf32>, memref<8x8xf32>) outs(%z : memref<?x8xf32>)
  return
}

// -----

func.func @strided(%x: memref<8xf32, strided<[2]>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 1.0 : f32
  // expected-note @+2 {{this version has no code for it}}
  // expected-error @+1 {{expected to use whole buffers and numbers, got 'memref<8xf32, strided<[2]>>'}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %v, %x[%c0] : memref<8xf32, strided<[2]>>
    gpu.terminator
  }
  return
}

// -----

gpu.module @kernels {
  gpu.func @down(%x: memref<32xf32>) kernel {
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : memref<32xf32>
    %o = arith.constant 16 : i32
    %w = arith.constant 32 : i32
    %p, %ok = gpu.shuffle down %v, %o, %w : f32 // expected-error {{expected an op of one thread, a barrier or an xor shuffle of 32 bits}}
    memref.store %p, %x[%t] : memref<32xf32>
    gpu.return
  }
}
