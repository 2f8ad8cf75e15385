// RUN: jit-opt %s --jit-gpu-store-scalars | FileCheck %s

// What follows from sizes the host computes itself: it neither starts a kernel nor waits for one.
// CHECK-LABEL: func.func @sizes(
// CHECK-NOT:     gpu.launch
// CHECK:         %[[N:.*]] = memref.dim
// CHECK:         %[[M:.*]] = arith.muli %[[N]], %c3
// CHECK:         memref.alloc(%[[M]])
// CHECK:         %[[WIDE:.*]] = arith.index_cast %[[N]]
// CHECK:         %[[OK:.*]] = arith.cmpi eq, %[[WIDE]], %arg1
// CHECK:         jit.guard %[[OK]], "builtins.RuntimeError", "expected {}"(%[[WIDE]] : i64)
// CHECK-NOT:     jit.read
func.func @sizes(%x: memref<?xf32>, %k: i64) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %m = arith.muli %n, %c3 : index
  %a = memref.alloc(%m) : memref<?xf32>
  %w = arith.index_cast %n : index to i64
  %ok = arith.cmpi eq, %w, %k : i64
  jit.guard %ok, "builtins.RuntimeError", "expected {}"(%w : i64)
  return
}

// A size that depends on data is read before memory is asked for.
// CHECK-LABEL: func.func @data(
// CHECK:         gpu.launch
// CHECK:         %[[READ:.*]] = memref.load {{.*}} {jit.read}
// CHECK:         %[[N:.*]] = arith.index_cast %[[READ]]
// CHECK:         memref.alloc(%[[N]])
func.func @data(%x: memref<i64>) {
  %v = memref.load %x[] : memref<i64>
  %n = arith.index_cast %v : i64 to index
  %a = memref.alloc(%n) : memref<?xf32>
  return
}
