// RUN: jit-opt %s --jit-emit-entry | FileCheck %s

// Open sizes come behind the arena, one i64 each; the runtime gives memory for what has open sizes.

// CHECK-LABEL: func.func @forward(
//  CHECK-SAME:   %[[CALL:.*]]: !llvm.ptr, %[[ARGS:.*]]: !llvm.ptr) -> i32
//       CHECK:   llvm.getelementptr %[[ARGS]][0]
//       CHECK:   llvm.getelementptr %[[ARGS]][2]
//       CHECK:   %[[N:.*]] = arith.index_cast %{{.*}} : i64 to index
//       CHECK:   %[[X:.*]] = memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [%[[N]], 4], strides: [4, 1]
//       CHECK:   %[[DATA:.*]] = call @jit_rt_result(%[[CALL]], %{{.*}}, %{{.*}}) : (!llvm.ptr, i64, !llvm.ptr) -> !llvm.ptr
//       CHECK:   jit.guard %{{.*}}, "builtins.MemoryError", "out of memory"
//       CHECK:   %[[OUT:.*]] = memref.reinterpret_cast
//       CHECK:   memref.copy %[[X]], %[[OUT]]
func.func @forward(%x: memref<?x4xf32>, %arena: memref<0xi8> {jit.arena}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?x4xf32>
  %out = builtin.unrealized_conversion_cast %n : index to memref<?x4xf32> {jit.open_result = 0 : i64}
  memref.copy %x, %out : memref<?x4xf32> to memref<?x4xf32>
  return
}
