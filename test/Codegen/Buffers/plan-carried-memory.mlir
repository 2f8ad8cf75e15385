// RUN: jit-opt %s --jit-plan-memory --allow-unregistered-dialect | FileCheck %s

// A buffer that a loop hands on is in use for as long as the loop and what it gives: nothing else lies in its piece.

//      CHECK: %[[I:.*]] = builtin.unrealized_conversion_cast %{{.*}} : index to memref<?xf32> {jit.open_scratch = 0 : i64}
//      CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %[[I]])
//      CHECK:   builtin.unrealized_conversion_cast %{{.*}} : index to memref<?xf32> {jit.open_scratch = 1 : i64}
//      CHECK:   %[[C:.*]] = builtin.unrealized_conversion_cast %{{.*}} : index to memref<?xf32> {jit.open_scratch = 2 : i64}
//      CHECK:   scf.yield %[[C]]
//      CHECK: builtin.unrealized_conversion_cast %{{.*}} : index to memref<?xf32> {jit.open_scratch = 1 : i64}
func.func @forward(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = memref.alloc(%n) : memref<?xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %i) -> (memref<?xf32>) {
    %t = memref.alloc(%n) : memref<?xf32>
    "test.use"(%a, %t) : (memref<?xf32>, memref<?xf32>) -> ()
    %c = builtin.unrealized_conversion_cast %k : index to memref<?xf32> {jit.open_carried = 0 : i64}
    "test.copy"(%t, %c) : (memref<?xf32>, memref<?xf32>) -> ()
    scf.yield %c : memref<?xf32>
  }
  %u = memref.alloc(%n) : memref<?xf32>
  "test.use"(%r, %u) : (memref<?xf32>, memref<?xf32>) -> ()
  return
}
