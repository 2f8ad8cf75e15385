// RUN: jit-opt %s --verify-diagnostics --jit-gpu-outline

!map = !nvgpu.tensormap.descriptor<tensor = memref<1x64x64xf16, #gpu.address_space<workgroup>>,
    swizzle = swizzle_128b, l2promo = l2promo_256b, oob = zero, interleave = none>

// Nine maps are more than a launch encodes.
func.func @forward(%x: memref<64x64xf16>) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  // expected-note @+2 {{this version has no code for it}}
  // expected-error @+1 {{expected a kernel of at most 4096 bytes of parameters and 8 maps among them, got 1152 and 9}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %w0 = memref.reinterpret_cast %x to offset: [0], sizes: [1, 64, 64], strides: [4096, 64, 1]
        : memref<64x64xf16> to memref<1x64x64xf16, strided<[4096, 64, 1]>>
    %a0 = memref.cast %w0 : memref<1x64x64xf16, strided<[4096, 64, 1]>> to memref<*xf16>
    %m0 = nvgpu.tma.create.descriptor %a0 box[%c1, %c64, %c64] : memref<*xf16> -> !map
    %p0 = builtin.unrealized_conversion_cast %m0 : !map to !llvm.ptr
    %v0 = llvm.load %p0 : !llvm.ptr -> i64
    %w1 = memref.reinterpret_cast %x to offset: [0], sizes: [1, 64, 64], strides: [4096, 64, 1]
        : memref<64x64xf16> to memref<1x64x64xf16, strided<[4096, 64, 1]>>
    %a1 = memref.cast %w1 : memref<1x64x64xf16, strided<[4096, 64, 1]>> to memref<*xf16>
    %m1 = nvgpu.tma.create.descriptor %a1 box[%c1, %c64, %c64] : memref<*xf16> -> !map
    %p1 = builtin.unrealized_conversion_cast %m1 : !map to !llvm.ptr
    %v1 = llvm.load %p1 : !llvm.ptr -> i64
    %w2 = memref.reinterpret_cast %x to offset: [0], sizes: [1, 64, 64], strides: [4096, 64, 1]
        : memref<64x64xf16> to memref<1x64x64xf16, strided<[4096, 64, 1]>>
    %a2 = memref.cast %w2 : memref<1x64x64xf16, strided<[4096, 64, 1]>> to memref<*xf16>
    %m2 = nvgpu.tma.create.descriptor %a2 box[%c1, %c64, %c64] : memref<*xf16> -> !map
    %p2 = builtin.unrealized_conversion_cast %m2 : !map to !llvm.ptr
    %v2 = llvm.load %p2 : !llvm.ptr -> i64
    %w3 = memref.reinterpret_cast %x to offset: [0], sizes: [1, 64, 64], strides: [4096, 64, 1]
        : memref<64x64xf16> to memref<1x64x64xf16, strided<[4096, 64, 1]>>
    %a3 = memref.cast %w3 : memref<1x64x64xf16, strided<[4096, 64, 1]>> to memref<*xf16>
    %m3 = nvgpu.tma.create.descriptor %a3 box[%c1, %c64, %c64] : memref<*xf16> -> !map
    %p3 = builtin.unrealized_conversion_cast %m3 : !map to !llvm.ptr
    %v3 = llvm.load %p3 : !llvm.ptr -> i64
    %w4 = memref.reinterpret_cast %x to offset: [0], sizes: [1, 64, 64], strides: [4096, 64, 1]
        : memref<64x64xf16> to memref<1x64x64xf16, strided<[4096, 64, 1]>>
    %a4 = memref.cast %w4 : memref<1x64x64xf16, strided<[4096, 64, 1]>> to memref<*xf16>
    %m4 = nvgpu.tma.create.descriptor %a4 box[%c1, %c64, %c64] : memref<*xf16> -> !map
    %p4 = builtin.unrealized_conversion_cast %m4 : !map to !llvm.ptr
    %v4 = llvm.load %p4 : !llvm.ptr -> i64
    %w5 = memref.reinterpret_cast %x to offset: [0], sizes: [1, 64, 64], strides: [4096, 64, 1]
        : memref<64x64xf16> to memref<1x64x64xf16, strided<[4096, 64, 1]>>
    %a5 = memref.cast %w5 : memref<1x64x64xf16, strided<[4096, 64, 1]>> to memref<*xf16>
    %m5 = nvgpu.tma.create.descriptor %a5 box[%c1, %c64, %c64] : memref<*xf16> -> !map
    %p5 = builtin.unrealized_conversion_cast %m5 : !map to !llvm.ptr
    %v5 = llvm.load %p5 : !llvm.ptr -> i64
    %w6 = memref.reinterpret_cast %x to offset: [0], sizes: [1, 64, 64], strides: [4096, 64, 1]
        : memref<64x64xf16> to memref<1x64x64xf16, strided<[4096, 64, 1]>>
    %a6 = memref.cast %w6 : memref<1x64x64xf16, strided<[4096, 64, 1]>> to memref<*xf16>
    %m6 = nvgpu.tma.create.descriptor %a6 box[%c1, %c64, %c64] : memref<*xf16> -> !map
    %p6 = builtin.unrealized_conversion_cast %m6 : !map to !llvm.ptr
    %v6 = llvm.load %p6 : !llvm.ptr -> i64
    %w7 = memref.reinterpret_cast %x to offset: [0], sizes: [1, 64, 64], strides: [4096, 64, 1]
        : memref<64x64xf16> to memref<1x64x64xf16, strided<[4096, 64, 1]>>
    %a7 = memref.cast %w7 : memref<1x64x64xf16, strided<[4096, 64, 1]>> to memref<*xf16>
    %m7 = nvgpu.tma.create.descriptor %a7 box[%c1, %c64, %c64] : memref<*xf16> -> !map
    %p7 = builtin.unrealized_conversion_cast %m7 : !map to !llvm.ptr
    %v7 = llvm.load %p7 : !llvm.ptr -> i64
    %w8 = memref.reinterpret_cast %x to offset: [0], sizes: [1, 64, 64], strides: [4096, 64, 1]
        : memref<64x64xf16> to memref<1x64x64xf16, strided<[4096, 64, 1]>>
    %a8 = memref.cast %w8 : memref<1x64x64xf16, strided<[4096, 64, 1]>> to memref<*xf16>
    %m8 = nvgpu.tma.create.descriptor %a8 box[%c1, %c64, %c64] : memref<*xf16> -> !map
    %p8 = builtin.unrealized_conversion_cast %m8 : !map to !llvm.ptr
    %v8 = llvm.load %p8 : !llvm.ptr -> i64
    gpu.terminator
  }
  return
}
