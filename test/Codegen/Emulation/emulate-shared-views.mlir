// RUN: jit-opt %s --jit-gpu-emulate | FileCheck %s

// Another shape of a buffer that a block shares is of the host's memory, as the buffer is.
// CHECK-LABEL: func.func @half(
// CHECK:         %[[VIEW:.*]] = memref.reinterpret_cast %{{.*}} : memref<2x32xf32> to memref<8x4xf32, strided<[4, 1], offset: ?>>
// CHECK:         memref.load %[[VIEW]]
// CHECK-NOT:     address_space
#shared = #gpu.address_space<workgroup>
gpu.module @kernels {
  gpu.func @half(%x: memref<32xf32>) workgroup(%m : memref<2x32xf32, #shared>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %view = memref.reinterpret_cast %m to offset: [%t], sizes: [8, 4], strides: [4, 1]
        : memref<2x32xf32, #shared> to memref<8x4xf32, strided<[4, 1], offset: ?>, #shared>
    %v = memref.load %view[%c0, %c0] : memref<8x4xf32, strided<[4, 1], offset: ?>, #shared>
    memref.store %v, %x[%t] : memref<32xf32>
    gpu.return
  }
}
