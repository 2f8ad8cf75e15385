// RUN: jit-opt %s --jit-gpu-emulate | FileCheck %s

// To round to tf32 is arithmetic on the bits, for which no thread waits. Not of NaN, whose bits may all be among those that go.
// CHECK-LABEL: func.func @round(
// CHECK-NOT:     jit.waits
// CHECK:         %[[X:.*]] = memref.load
// CHECK:         %[[BITS:.*]] = arith.bitcast %[[X]] : f32 to i32
// CHECK:         %[[ABOVE:.*]] = arith.addi %[[BITS]], %c4096_i32
// CHECK:         %[[ROUNDED:.*]] = arith.andi %[[ABOVE]], %c-8192_i32
// CHECK:         %[[IS_NAN:.*]] = arith.cmpf uno, %[[X]], %[[X]]
// CHECK:         %[[RESULT:.*]] = arith.select %[[IS_NAN]], %c2147483647_i32{{.*}}, %[[ROUNDED]]
// CHECK:         memref.store %[[RESULT]]
gpu.module @kernels {
  gpu.func @round(%x: memref<64xf32>, %y: memref<64xi32>) kernel {
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : memref<64xf32>
    %r = nvvm.convert.float.to.tf32 %v {rnd = #nvvm.fp_rnd_mode<rna>}
    memref.store %r, %y[%t] : memref<64xi32>
    gpu.return
  }
}
