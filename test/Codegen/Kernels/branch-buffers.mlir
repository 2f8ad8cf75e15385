// RUN: jit-opt %s --jit-gpu-branch-buffers | FileCheck %s

// One buffer before the branch: a side that has memory of its own for its result writes there, the other copies.
// CHECK-LABEL: func.func @sides(
// CHECK:         %[[BUFFER:.*]] = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    scf.if %arg0 {
// CHECK-NOT:       memref.alloc
// CHECK:           linalg.fill {{.*}} outs(%[[BUFFER]]
// CHECK:         } else {
// CHECK-NEXT:      memref.copy %arg1, %[[BUFFER]]
// CHECK-NEXT:    }
// CHECK:         memref.copy %[[BUFFER]], %arg2
func.func @sides(%condition: i1, %x: memref<4xf32>, %result: memref<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %0 = scf.if %condition -> memref<4xf32> {
    %made = memref.alloc() : memref<4xf32>
    linalg.fill ins(%zero : f32) outs(%made : memref<4xf32>)
    scf.yield %made : memref<4xf32>
  } else {
    scf.yield %x : memref<4xf32>
  }
  memref.copy %0, %result : memref<4xf32> to memref<4xf32>
  return
}

// Memory that is given twice has two places behind the branch; numbers stay results.
// CHECK-LABEL: func.func @twice(
// CHECK:         %[[FIRST:.*]] = memref.alloc() : memref<4xf32>
// CHECK:         %[[SECOND:.*]] = memref.alloc() : memref<4xf32>
// CHECK:         %[[NUMBER:.*]] = scf.if %arg0 -> (i64) {
// CHECK:           %[[MADE:.*]] = memref.alloc()
// CHECK:           memref.copy %[[MADE]], %[[FIRST]]
// CHECK:           memref.copy %[[MADE]], %[[SECOND]]
// CHECK:         return %[[NUMBER]]
func.func @twice(%condition: i1, %x: memref<4xf32>, %result: memref<4xf32>) -> i64 {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %0:3 = scf.if %condition -> (memref<4xf32>, i64, memref<4xf32>) {
    %made = memref.alloc() : memref<4xf32>
    linalg.fill ins(%zero : f32) outs(%made : memref<4xf32>)
    scf.yield %made, %one, %made : memref<4xf32>, i64, memref<4xf32>
  } else {
    scf.yield %x, %two, %x : memref<4xf32>, i64, memref<4xf32>
  }
  memref.copy %0#0, %result : memref<4xf32> to memref<4xf32>
  memref.copy %0#2, %result : memref<4xf32> to memref<4xf32>
  return %0#1 : i64
}

// Inner branches give at the place of the outer one's.
// CHECK-LABEL: func.func @nested(
// CHECK-COUNT-2: memref.alloc() : memref<4xf32>
// CHECK-NOT:     memref.alloc
// CHECK:         return
func.func @nested(%outer: i1, %inner: i1, %x: memref<4xf32>, %y: memref<4xf32>, %result: memref<4xf32>) {
  %0 = scf.if %outer -> memref<4xf32> {
    %1 = scf.if %inner -> memref<4xf32> {
      scf.yield %x : memref<4xf32>
    } else {
      scf.yield %y : memref<4xf32>
    }
    scf.yield %1 : memref<4xf32>
  } else {
    scf.yield %y : memref<4xf32>
  }
  memref.copy %0, %result : memref<4xf32> to memref<4xf32>
  return
}

// A choice of buffers is a branch; strides that a new buffer has not are those of a cast, where they are open.
// CHECK-LABEL: func.func @choice(
// CHECK:         %[[BUFFER:.*]] = memref.alloc() : memref<4xf32>
// CHECK:         scf.if %arg0
// CHECK:           memref.copy %arg1, %[[BUFFER]]
// CHECK:           memref.copy %arg2, %[[BUFFER]]
// CHECK:         %[[CAST:.*]] = memref.cast %[[BUFFER]] : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
// CHECK:         memref.copy %[[CAST]], %arg3
func.func @choice(%condition: i1, %x: memref<4xf32, strided<[?], offset: ?>>, %y: memref<4xf32, strided<[?], offset: ?>>, %result: memref<4xf32>) {
  %0 = arith.select %condition, %x, %y : memref<4xf32, strided<[?], offset: ?>>
  memref.copy %0, %result : memref<4xf32, strided<[?], offset: ?>> to memref<4xf32>
  return
}

// Sizes that are not known stay with the branch.
// CHECK-LABEL: func.func @open(
// CHECK:         scf.if %arg0 -> (memref<?xf32>)
func.func @open(%condition: i1, %x: memref<?xf32>, %y: memref<?xf32>, %result: memref<?xf32>) {
  %0 = scf.if %condition -> memref<?xf32> {
    scf.yield %x : memref<?xf32>
  } else {
    scf.yield %y : memref<?xf32>
  }
  memref.copy %0, %result : memref<?xf32> to memref<?xf32>
  return
}
