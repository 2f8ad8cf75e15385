// RUN: jit-opt %s --jit-emit-entry | FileCheck %s

// The bytes of scratch are counted with an eye to overflow: too many are -1, which the runtime refuses.

// CHECK-LABEL: func.func @forward(
//   CHECK-DAG:   %[[MANY:.*]] = arith.constant -1 : i64
//   CHECK-DAG:   %[[ROW:.*]] = arith.constant 16 : i64
//       CHECK:   %[[N:.*]] = arith.index_cast %{{.*}} : index to i64
//       CHECK:   %[[LOW:.*]], %[[HIGH:.*]] = arith.mului_extended %[[ROW]], %[[N]] : i64
//       CHECK:   %[[FITS:.*]] = arith.cmpi eq, %[[HIGH]], %{{.*}} : i64
//       CHECK:   %[[ONE:.*]] = arith.select %[[FITS]], %[[LOW]], %[[MANY]] : i64
//       CHECK:   arith.mului_extended %[[ONE]]
//       CHECK:   %[[BYTES:.*]] = arith.select
//       CHECK:   call @jit_rt_scratch(%{{.*}}, %{{.*}}, %[[BYTES]]) : (!llvm.ptr, i64, i64) -> !llvm.ptr
func.func @forward(%x: memref<?x?x4xf32>, %arena: memref<0xi8> {jit.arena}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x?x4xf32>
  %m = memref.dim %x, %c1 : memref<?x?x4xf32>
  %piece = builtin.unrealized_conversion_cast %n, %m : index, index to memref<?x?x4xf32> {jit.open_scratch = 0 : i64}
  memref.copy %x, %piece : memref<?x?x4xf32> to memref<?x?x4xf32>
  return
}
