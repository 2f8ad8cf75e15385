// RUN: jit-opt %s --jit-branch-sizes | FileCheck %s

// The size of what a branch gives is asked in its ways, whatever branches are in these.
// CHECK-LABEL: func.func @sizes(
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<?xf32>, %[[B:[a-z0-9]+]]: memref<?xf32>
// CHECK: %[[R:.*]]:2 = scf.if {{.*}} -> (memref<?xf32>, index)
// CHECK: %[[IN:.*]]:2 = scf.if {{.*}} -> (memref<?xf32>, index)
// CHECK: %[[N:.*]] = memref.dim %[[A]]
// CHECK: scf.yield %[[A]], %[[N]]
// CHECK: %[[M:.*]] = memref.dim %[[B]]
// CHECK: scf.yield %[[B]], %[[M]]
// CHECK: scf.yield %[[IN]]#0, %[[IN]]#1
// CHECK: return %[[R]]#1
func.func @sizes(%a: memref<?xf32>, %b: memref<?xf32>, %c: i1, %d: i1) -> index {
  %zero = arith.constant 0 : index
  %r = scf.if %c -> memref<?xf32> {
    %in = scf.if %d -> memref<?xf32> {
      scf.yield %a : memref<?xf32>
    } else {
      scf.yield %b : memref<?xf32>
    }
    scf.yield %in : memref<?xf32>
  } else {
    scf.yield %b : memref<?xf32>
  }
  %n = memref.dim %r, %zero : memref<?xf32>
  return %n : index
}
