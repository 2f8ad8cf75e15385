// RUN: jit-opt %s --jit-gpu-emulate | FileCheck %s

// CHECK-NOT:   func.func @host
func.func @host(%x: memref<64xf32>) {
  return
}

// CHECK-NOT:   gpu
// A thread finds its place and its arguments by two pointers.
// CHECK-LABEL: func.func @scale(
// CHECK-SAME:    %[[T:[a-z0-9]+]]: !llvm.ptr, %[[ARGS:[a-z0-9]+]]: !llvm.ptr) attributes {jit.shared_bytes = 0 : i64}
// CHECK:         llvm.getelementptr %[[ARGS]][0]
// CHECK:         llvm.getelementptr %[[ARGS]][8]
// CHECK:         llvm.load %{{.*}} -> f64
// CHECK:         llvm.getelementptr %[[T]][24]
// CHECK:         llvm.getelementptr %[[T]][0]
// CHECK:         return

// Waiting and exchanging are the runtime's; shared memory is one block of bytes.
// CHECK-LABEL: func.func @sum(
// CHECK-SAME:    attributes {jit.shared_bytes = 128 : i64, jit.waits}
// CHECK:         call @jit_rt_shuffle(%{{.*}}, %{{.*}}, %{{.*}}) : (!llvm.ptr, i32, i32) -> i32
// CHECK:         call @jit_rt_barrier(%{{.*}}) : (!llvm.ptr) -> ()
gpu.module @kernels {
  gpu.func @scale(%x: memref<64xf32>, %s: f64) kernel {
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %i = arith.addi %b, %t : index
    %v = arith.truncf %s : f64 to f32
    memref.store %v, %x[%i] : memref<64xf32>
    gpu.return
  }
  gpu.func @sum(%x: memref<32xi32>) workgroup(%s : memref<8xf32, #gpu.address_space<workgroup>>, %r : memref<2xi32, #gpu.address_space<workgroup>>) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : memref<32xi32>
    %o = arith.constant 16 : i32
    %w = arith.constant 32 : i32
    %p, %ok = gpu.shuffle xor %v, %o, %w : i32
    memref.store %p, %r[%c0] : memref<2xi32, #gpu.address_space<workgroup>>
    gpu.barrier
    gpu.return
  }
}
