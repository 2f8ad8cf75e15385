// RUN: jit-opt %s --pass-pipeline='builtin.module(gpu.module(jit-gpu-to-nvvm))' | FileCheck %s

gpu.module @kernels {
  // Bare pointers, 32-bit indices; instructions of the machine are no calls.
  // CHECK-LABEL: llvm.func @loads(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: i32)
  // CHECK:         %[[P:.*]] = llvm.getelementptr {{.*}}[%arg2] : (!llvm.ptr, i32) -> !llvm.ptr, f32
  // CHECK:         llvm.load %[[P]] invariant {alignment = 16 : i64} : !llvm.ptr -> vector<4xf32>
  // CHECK:         llvm.load %{{.*}} : !llvm.ptr -> f32
  // CHECK-NOT:     llvm.call
  // CHECK:         llvm.intr.fma
  // CHECK:         llvm.intr.fabs
  // CHECK:         llvm.intr.sqrt
  // CHECK:         llvm.intr.floor
  gpu.func @loads(%x: memref<64xf32>, %y: memref<64xf32>, %i: index) kernel {
    %v = vector.load %x[%i] {alignment = 16 : i64, jit.nc} : memref<64xf32>, vector<4xf32>
    %w = memref.load %y[%i] : memref<64xf32>
    %a = vector.extract %v[0] : f32 from vector<4xf32>
    %b = math.fma %a, %w, %w : f32
    %c = math.absf %b : f32
    %d = math.sqrt %c : f32
    %e = math.floor %d : f32
    memref.store %e, %y[%i] : memref<64xf32>
    gpu.return
  }
}

gpu.module @instructions {
  // A power of two that may be approximated, and a maximum that keeps NaN, are one instruction each.
  // CHECK-LABEL: llvm.func @powers(
  // CHECK:         llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%{{.*}}) : (f32) -> f32
  // CHECK:         llvm.intr.maximum(
  // CHECK:         llvm.call @__nv_exp2f
  gpu.func @powers(%x: memref<64xf32>, %i: index) kernel {
    %v = memref.load %x[%i] : memref<64xf32>
    %a = math.exp2 %v fastmath<afn> : f32
    %b = arith.maximumf %a, %v : f32
    %c = math.exp2 %b : f32
    memref.store %c, %x[%i] : memref<64xf32>
    gpu.return
  }
}

// Buffers of more elements than 32 bits count take 64.
gpu.module @large {
  // CHECK-LABEL: llvm.func @wide(%arg0: !llvm.ptr, %arg1: i64)
  gpu.func @wide(%x: memref<3000000000xi8>, %i: index) kernel {
    %c = arith.constant 1 : i8
    memref.store %c, %x[%i] : memref<3000000000xi8>
    gpu.return
  }
}

// And so do more threads than that.
gpu.module @many {
  // CHECK-LABEL: llvm.func @threads(%arg0: !llvm.ptr, %arg1: i64)
  gpu.func @threads(%x: memref<64xi8>, %i: index) kernel
      attributes {known_block_size = array<i32: 1024, 1, 1>, known_grid_size = array<i32: 2000000, 1, 1>} {
    %c = arith.constant 1 : i8
    memref.store %c, %x[%i] : memref<64xi8>
    gpu.return
  }
}

// Functions that the machine lacks are libdevice's.
gpu.module @functions {
  // CHECK-LABEL: llvm.func @power
  // CHECK:         llvm.call @__nv_powf
  gpu.func @power(%x: memref<64xf32>, %i: index) kernel {
    %v = memref.load %x[%i] : memref<64xf32>
    %p = math.powf %v, %v : f32
    memref.store %p, %x[%i] : memref<64xf32>
    gpu.return
  }
}
