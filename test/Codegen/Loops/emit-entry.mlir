// RUN: jit-opt %s --allow-unregistered-dialect --jit-emit-entry | FileCheck %s

// Order of the pointers: arguments, results, packed buffers, arena.
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[CALL:.*]]: !llvm.ptr, %[[ARGS:.*]]: !llvm.ptr) -> i32
// CHECK-SAME:    jit.arena_bytes = 64 : i64, jit.packed_bytes = array<i64: 16>, jit.read_places = array<i64: 0, 1, 3, 2, 4>
// CHECK:         llvm.getelementptr %[[ARGS]][0]
// CHECK:         builtin.unrealized_conversion_cast {{.*}} : !llvm.ptr to memref<4xf32> {jit.root}
// CHECK:         llvm.getelementptr %[[ARGS]][1]
// CHECK:         llvm.load {{.*}} -> i64
// CHECK:         llvm.getelementptr %[[ARGS]][3]
// CHECK:         : !llvm.ptr to memref<2x2xf32> {jit.root}
// CHECK:         llvm.getelementptr %[[ARGS]][2]
// CHECK:         to memref<i64> {jit.root}
// CHECK:         llvm.getelementptr %[[ARGS]][4]
// CHECK:         to memref<64xi8> {jit.root}
// CHECK:         %[[OK:.*]] = arith.constant 0 : i32
// CHECK:         return %[[OK]] : i32
func.func @forward(%x: memref<4xf32>, %n: i64, %p: memref<2x2xf32> {jit.packed = 0 : i64},
                   %r: memref<i64> {jit.result = 0 : i64}, %arena: memref<64xi8> {jit.arena}) {
  memref.store %n, %r[] : memref<i64>
  "test.use"(%x, %p, %arena) : (memref<4xf32>, memref<2x2xf32>, memref<64xi8>) -> ()
  return
}
