// RUN: jit-opt %s --jit-separate-results | FileCheck %s

// The second result lives in the buffer of the first: it is saved before that is overwritten.
// CHECK-LABEL: func @shared
//       CHECK: %[[A:.*]] = memref.alloc() : memref<4xf32>
//       CHECK: %[[ASIDE:.*]] = memref.alloc() {{.*}} : memref<4xf32>
//       CHECK: memref.copy %arg0, %[[ASIDE]]
//       CHECK: memref.copy %[[A]], %arg0
//       CHECK: memref.copy %[[ASIDE]], %arg1
func.func @shared(%r0: memref<4xf32> {jit.result = 0 : i64}, %r1: memref<4xf32> {jit.result = 1 : i64}) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %a, %r0 : memref<4xf32> to memref<4xf32>
  memref.copy %r0, %r1 : memref<4xf32> to memref<4xf32>
  return
}

// CHECK-LABEL: func @apart
//   CHECK-NOT: memref.alloc
//       CHECK: memref.copy %arg2, %arg1
//   CHECK-NOT: memref.copy
func.func @apart(%r0: memref<4xf32> {jit.result = 0 : i64}, %r1: memref<4xf32> {jit.result = 1 : i64},
                 %x: memref<4xf32>) {
  memref.copy %x, %r1 : memref<4xf32> to memref<4xf32>
  memref.copy %r0, %r0 : memref<4xf32> to memref<4xf32>
  return
}

// A result computed where it is, under a type that knows more sizes, is not copied to itself.
// CHECK-LABEL: func @refined
//   CHECK-NOT: memref.copy
func.func @refined(%r0: memref<?xf32> {jit.result = 0 : i64}) {
  %known = memref.cast %r0 : memref<?xf32> to memref<4xf32>
  memref.copy %known, %r0 : memref<4xf32> to memref<?xf32>
  return
}

// A number among the results stands between the copies.
// CHECK-LABEL: func @number
//       CHECK: %[[ASIDE:.*]] = memref.alloc() {{.*}} : memref<4xf32>
//       CHECK: memref.copy %arg0, %[[ASIDE]]
//       CHECK: memref.copy %[[ASIDE]], %arg1
func.func @number(%r0: memref<4xf32> {jit.result = 0 : i64}, %r1: memref<4xf32> {jit.result = 1 : i64},
                  %r2: memref<i64> {jit.result = 2 : i64}, %n: i64) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %a, %r0 : memref<4xf32> to memref<4xf32>
  memref.copy %r0, %r1 : memref<4xf32> to memref<4xf32>
  memref.store %n, %r2[] : memref<i64>
  return
}

// So does the buffer of a result whose size is open, which is computed before the first copy now.
// CHECK-LABEL: func @open
//       CHECK: %[[OPEN:.*]] = builtin.unrealized_conversion_cast
//       CHECK: %[[ASIDE:.*]] = memref.alloc() {{.*}} : memref<4xf32>
//       CHECK: memref.copy %arg0, %[[ASIDE]]
//       CHECK: memref.copy %{{.*}}, %arg0
//       CHECK: memref.copy %{{.*}}, %[[OPEN]]
//       CHECK: memref.copy %[[ASIDE]], %arg1
func.func @open(%r0: memref<4xf32> {jit.result = 0 : i64}, %r1: memref<4xf32> {jit.result = 2 : i64}, %n: index) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  memref.copy %a, %r0 : memref<4xf32> to memref<4xf32>
  %r2 = builtin.unrealized_conversion_cast %n : index to memref<?xf32> {jit.open_result = 1 : i64}
  memref.copy %b, %r2 : memref<?xf32> to memref<?xf32>
  memref.copy %r0, %r1 : memref<4xf32> to memref<4xf32>
  return
}
