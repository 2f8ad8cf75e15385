// RUN: jit-opt %s --split-input-file --verify-diagnostics --jit-gpu-emulate | FileCheck %s

// Barriers, copies of boxes and products of warpgroups are the runtime's: it reads the descriptors as the machine does. The memory
// that a launch adds is behind what the kernel declares.
// CHECK-LABEL: func.func @warpgroup(
// CHECK-SAME:    jit.shared_bytes = 4160 : i64, jit.waits
// CHECK:         %[[SUMS:.*]] = llvm.alloca
// CHECK:         call @jit_rt_mbarrier_init(
// CHECK-NOT:     fence
// CHECK:         call @jit_rt_mbarrier_arrive(
// CHECK:         call @jit_rt_tensor_copy(
// CHECK:         call @jit_rt_mbarrier_wait(
// CHECK:         llvm.store %{{.*}}, %[[SUMS]]
// CHECK:         %[[FLAGS:.*]] = arith.constant 5 : i64
// CHECK:         call @jit_rt_warpgroup_multiply(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[FLAGS]], %[[SUMS]])
// CHECK:         llvm.load %[[SUMS]]
// CHECK:         call @jit_rt_warpgroup_commit(
// CHECK:         call @jit_rt_warpgroup_wait(
// CHECK:         call @jit_rt_mbarrier_arrive(
gpu.module @kernels {
  gpu.func @warpgroup(%map: !llvm.ptr, %y: memref<4xf32>) workgroup(%s : memref<8xf32, #gpu.address_space<workgroup>>) kernel
      attributes {jit.dynamic_shared_bytes = 4096 : i64} {
    %m = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %i = memref.extract_aligned_pointer_as_index %m : memref<?xi8, #gpu.address_space<workgroup>> -> index
    %d = arith.index_castui %i : index to i64
    %bar = llvm.inttoptr %d : i64 to !llvm.ptr<3>
    %to = llvm.inttoptr %d : i64 to !llvm.ptr<7>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    nvvm.mbarrier.init %bar, %c1 : !llvm.ptr<3>, i32
    nvvm.fence.mbarrier.init
    nvvm.mbarrier.arrive.expect_tx %bar, %c1 : !llvm.ptr<3>, i32
    nvvm.cp.async.bulk.tensor.shared.cluster.global %to, %map, %bar, box[%c0, %c0, %c0] : !llvm.ptr<7>, !llvm.ptr
    nvvm.mbarrier.try_wait.parity %bar, %c0, %c1 : !llvm.ptr<3>, i32, i32
    %z = llvm.mlir.zero : !llvm.struct<(f32, f32, f32, f32)>
    nvvm.wgmma.fence.aligned
    %r = nvvm.wgmma.mma_async %d, %d, %z, <m = 64, n = 8, k = 16>, D [<f32>, <one>], A [<bf16>, <one>, <row>], B [<bf16>, <one>, <row>]
        : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
    nvvm.wgmma.commit.group.sync.aligned
    nvvm.wgmma.wait.group.sync.aligned 0
    nvvm.mbarrier.arrive %bar : !llvm.ptr<3>
    %f = llvm.extractvalue %r[0] : !llvm.struct<(f32, f32, f32, f32)>
    %at = arith.constant 0 : index
    memref.store %f, %y[%at] : memref<4xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @other() kernel {
    // expected-error@+1 {{expected an op of one thread, a barrier or an xor shuffle of 32 bits}}
    nvvm.cluster.wait
    gpu.return
  }
}

// -----

// A buffer in the memory that a launch adds is in the block's memory too.
// CHECK-LABEL: func.func @view(
// CHECK:         %[[AT:.*]] = arith.index_cast
// CHECK:         %[[PLACE:.*]] = arith.addi %{{.*}}, %[[AT]] : index
// CHECK:         %[[NUMBER:.*]] = arith.index_castui %[[PLACE]] : index to i64
// CHECK:         llvm.inttoptr %[[NUMBER]] : i64 to !llvm.ptr
// CHECK:         memref.store %{{.*}}, %{{.*}}[%{{.*}}] : memref<8xf32>
gpu.module @kernels {
  gpu.func @view(%at: index, %x: f32) kernel attributes {jit.dynamic_shared_bytes = 64 : i64} {
    %m = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %v = memref.view %m[%at][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<8xf32, #gpu.address_space<workgroup>>
    %c0 = arith.constant 0 : index
    memref.store %x, %v[%c0] : memref<8xf32, #gpu.address_space<workgroup>>
    gpu.return
  }
}

// -----

// Floats are told apart from halves.
// CHECK-LABEL: func.func @floats(
// CHECK:         %[[FLAGS:.*]] = arith.constant 8 : i64
// CHECK:         call @jit_rt_warpgroup_multiply(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[FLAGS]], %{{.*}})
gpu.module @kernels {
  gpu.func @floats(%d: i64, %y: memref<4xf32>) kernel {
    %z = llvm.mlir.zero : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %r = nvvm.wgmma.mma_async %d, %d, %z, <m = 64, n = 16, k = 8>, D [<f32>, <one>], A [<tf32>, <one>, <row>], B [<tf32>, <one>, <col>]
        : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %f = llvm.extractvalue %r[0] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %at = arith.constant 0 : index
    memref.store %f, %y[%at] : memref<4xf32>
    gpu.return
  }
}
