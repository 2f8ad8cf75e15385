// RUN: jit-opt %s --jit-plan-memory --allow-unregistered-dialect | FileCheck %s

// Buffers of open size share a piece of the runtime's memory if they are not alive together.

//      CHECK: builtin.unrealized_conversion_cast %{{.*}} : index to memref<?xf32> {jit.open_scratch = 0 : i64}
//      CHECK: builtin.unrealized_conversion_cast %{{.*}} : index to memref<?xf32> {jit.open_scratch = 1 : i64}
//      CHECK: builtin.unrealized_conversion_cast %{{.*}} : index to memref<?x2xf32> {jit.open_scratch = 0 : i64}
//  CHECK-NOT: memref.alloc
func.func @forward(%n: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  "test.use"(%a, %b) : (memref<?xf32>, memref<?xf32>) -> ()
  %c = memref.alloc(%n) : memref<?x2xf32>
  "test.use"(%b, %c) : (memref<?xf32>, memref<?x2xf32>) -> ()
  return
}
