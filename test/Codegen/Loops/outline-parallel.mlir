// RUN: jit-opt %s --jit-emit-entry --jit-outline-parallel=threshold=100 --split-input-file | FileCheck %s

// CHECK:       func.func private @jit_rt_parallel_for(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64)
// CHECK-LABEL: func.func @large(
// CHECK-SAME:    %[[CALL:.*]]: !llvm.ptr,
// CHECK:         %[[CLOSURE:.*]] = llvm.alloca
// CHECK:         %[[F:.*]] = constant @large.par0
// CHECK:         call @jit_rt_parallel_for(%[[CALL]], %{{.*}}, %[[CLOSURE]], %{{.*}})
// CHECK-LABEL: func.func private @large.par0(
// CHECK-SAME:    %[[C:.*]]: !llvm.ptr, %[[BEGIN:.*]]: i64, %[[END:.*]]: i64)
// CHECK-DAG:     %[[ROW:.*]] = arith.constant 20 : index
// CHECK:         %[[DATA:.*]] = memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [%{{.*}}], strides: [1] : memref<1xf32> to memref<?xf32>
// CHECK:         scf.for
// CHECK:           %[[J:.*]] = arith.remui
// CHECK:           %[[I:.*]] = arith.divui
// CHECK:           %[[START:.*]] = arith.muli %[[I]], %[[ROW]] overflow<nsw, nuw>
// CHECK:           memref.store %{{.*}}, %[[DATA]][%{{.*}}] : memref<?xf32>
func.func @large(%x: memref<16x20xf32>, %s: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %f = arith.truncf %s : f64 to f32
  %v = memref.subview %x[0, 2] [16, 8] [1, 1] : memref<16x20xf32> to memref<16x8xf32, strided<[20, 1], offset: 2>>
  scf.parallel (%i, %j) = (%c0, %c0) to (%c16, %c8) step (%c1, %c1) {
    memref.store %f, %v[%i, %j] : memref<16x8xf32, strided<[20, 1], offset: 2>>
  } {jit.flops = 128 : i64}
  return
}

// -----

// Two loops that do the same share a function, wherever in memory they do it.
// CHECK-LABEL: func.func @twice(
// CHECK:         constant @twice.par0
// CHECK-NOT:     constant @twice.par1
// CHECK:         constant @twice.par0
// CHECK-LABEL: func.func private @twice.par0(
// CHECK-NOT:   func.func private
func.func @twice(%s: f64, %arena: memref<256xi8> {jit.arena}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %f = arith.truncf %s : f64 to f32
  %x = memref.view %arena[%c0][] : memref<256xi8> to memref<16xf32>
  %y = memref.view %arena[%c64][] : memref<256xi8> to memref<16xf32>
  scf.parallel (%i) = (%c0) to (%c16) step (%c1) {
    memref.store %f, %x[%i] : memref<16xf32>
  } {jit.flops = 128 : i64}
  scf.parallel (%i) = (%c0) to (%c16) step (%c1) {
    memref.store %f, %y[%i] : memref<16xf32>
  } {jit.flops = 128 : i64}
  return
}

// -----

// CHECK-LABEL: func.func @small(
// CHECK:         scf.for
// CHECK-NOT:   jit_rt_parallel_for
func.func @small(%x: memref<16xf32>, %s: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %f = arith.truncf %s : f64 to f32
  scf.parallel (%i) = (%c0) to (%c16) step (%c1) {
    memref.store %f, %x[%i] : memref<16xf32>
  } {jit.flops = 16 : i64}
  return
}
