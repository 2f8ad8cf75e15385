// RUN: jit-opt %s --jit-destination-style | FileCheck %s

// A result of open size to which nothing is stored is asked for all the same: the caller learns its sizes by that.
// CHECK-LABEL: func.func @nothing_stored
// CHECK:         %[[R:.*]] = builtin.unrealized_conversion_cast %{{.*}} {jit.open_result = 0
// CHECK:         memref.prefetch %[[R]]
func.func @nothing_stored(%x: tensor<?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0 : index
  %n = tensor.dim %x, %zero : tensor<?xf32>
  %r = tensor.empty(%n) : tensor<?xf32>
  return %r : tensor<?xf32>
}
