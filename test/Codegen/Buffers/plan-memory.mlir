// RUN: jit-opt %s --jit-plan-memory | FileCheck %s

// The first and third buffer are never alive together: they share bytes.
// CHECK-LABEL: func.func @chain(
// CHECK-SAME:    %[[ARENA:[a-z0-9]+]]: memref<128xi8> {jit.arena})
// CHECK-DAG:     %[[A:.*]] = memref.view %[[ARENA]][%[[OA:.*]]][] : memref<128xi8> to memref<16xf32>
// CHECK-DAG:     %[[OA]] = arith.constant 0 : index
// CHECK-DAG:     %[[B:.*]] = memref.view %[[ARENA]][%[[OB:.*]]][] : memref<128xi8> to memref<16xf32>
// CHECK-DAG:     %[[OB]] = arith.constant 64 : index
// CHECK:         %[[C:.*]] = memref.view %[[ARENA]][%{{.*}}][] : memref<128xi8> to memref<16xf32>
// CHECK:         memref.copy %arg0, %[[A]]
// CHECK:         memref.copy %[[A]], %[[B]]
// CHECK:         memref.copy %[[B]], %[[C]]
func.func @chain(%x: memref<16xf32>, %y: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  memref.copy %a, %b : memref<16xf32> to memref<16xf32>
  %c = memref.alloc() : memref<16xf32>
  memref.copy %b, %c : memref<16xf32> to memref<16xf32>
  memref.copy %c, %y : memref<16xf32> to memref<16xf32>
  return
}

// A buffer from outside of a loop is alive in all of it; one that leaves the branches of an if is
// alive until its last use.
// CHECK-LABEL: func.func @nested(
// CHECK-SAME:    memref<192xi8> {jit.arena})
func.func @nested(%x: memref<16xf32>, %y: memref<16xf32>, %c: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  scf.for %i = %c0 to %n step %c1 {
    memref.copy %a, %y : memref<16xf32> to memref<16xf32>
    %r = scf.if %c -> memref<16xf32> {
      %b = memref.alloc() : memref<16xf32>
      memref.copy %x, %b : memref<16xf32> to memref<16xf32>
      scf.yield %b : memref<16xf32>
    } else {
      scf.yield %x : memref<16xf32>
    }
    %d = memref.alloc() : memref<16xf32>
    memref.copy %x, %d : memref<16xf32> to memref<16xf32>
    memref.copy %r, %y : memref<16xf32> to memref<16xf32>
    memref.copy %d, %y : memref<16xf32> to memref<16xf32>
  }
  return
}
