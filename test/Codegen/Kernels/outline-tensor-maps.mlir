// RUN: jit-opt %s --jit-gpu-outline | FileCheck %s

// The host makes maps, the kernel gets their addresses; what a launch adds of shared memory is the kernel's.
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<64x64xf16>
// CHECK:         %[[BYTES:.*]] = arith.constant 4096 : i32
// CHECK:         %[[WHOLE:.*]] = memref.reinterpret_cast %[[X]]
// CHECK:         %[[ANY:.*]] = memref.cast %[[WHOLE]]
// CHECK:         %[[MAP:.*]] = nvgpu.tma.create.descriptor %[[ANY]]
// CHECK:         %[[ADDRESS:.*]] = builtin.unrealized_conversion_cast %[[MAP]]
// CHECK:         gpu.launch_func @kernels::@forward_kernel_0 {{.*}} dynamic_shared_memory_size %[[BYTES]] args(%[[ADDRESS]] : !llvm.ptr)
// CHECK:       gpu.func @forward_kernel_0(%[[M:.*]]: !llvm.ptr) kernel attributes {jit.dynamic_shared_bytes = 4096 : i64, jit.tensor_maps = array<i32: 0>
// CHECK-NOT:     memref.reinterpret_cast
// CHECK:         llvm.load %[[M]]
func.func @forward(%x: memref<64x64xf16>) {
  %c1 = arith.constant 1 : index
  %bytes = arith.constant 4096 : i32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) dynamic_shared_memory_size %bytes {
    %c64 = arith.constant 64 : index
    %w = memref.reinterpret_cast %x to offset: [0], sizes: [1, 64, 64], strides: [4096, 64, 1]
        : memref<64x64xf16> to memref<1x64x64xf16, strided<[4096, 64, 1]>>
    %a = memref.cast %w : memref<1x64x64xf16, strided<[4096, 64, 1]>> to memref<*xf16>
    %m = nvgpu.tma.create.descriptor %a box[%c1, %c64, %c64] : memref<*xf16> -> <tensor = memref<1x64x64xf16, #gpu.address_space<workgroup>>,
        swizzle = swizzle_128b, l2promo = l2promo_256b, oob = zero, interleave = none>
    %p = builtin.unrealized_conversion_cast %m : !nvgpu.tensormap.descriptor<tensor = memref<1x64x64xf16, #gpu.address_space<workgroup>>,
        swizzle = swizzle_128b, l2promo = l2promo_256b, oob = zero, interleave = none> to !llvm.ptr
    %v = llvm.load %p : !llvm.ptr -> i64
    gpu.terminator
  }
  return
}
