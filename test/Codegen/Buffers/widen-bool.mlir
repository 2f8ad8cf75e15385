// RUN: jit-opt %s --jit-widen-bool | FileCheck %s

// CHECK:       memref.global "private" constant @table : memref<2xi8> = dense<[1, 0]>
// CHECK-LABEL: func.func @invert(
// CHECK-SAME:    %[[X:.*]]: memref<2xi8>, %[[I:.*]]: index)
// CHECK:         %[[T:.*]] = memref.get_global @table : memref<2xi8>
// CHECK:         %[[A:.*]] = memref.load %[[T]][%[[I]]] : memref<2xi8>
// CHECK:         %[[B:.*]] = arith.trunci %[[A]] : i8 to i1
// CHECK:         %[[W:.*]] = arith.extui %[[B]] : i1 to i8
// CHECK:         memref.store %[[W]], %[[X]][%[[I]]] : memref<2xi8>
memref.global "private" constant @table : memref<2xi1> = dense<[true, false]>
func.func @invert(%x: memref<2xi1>, %i: index) {
  %t = memref.get_global @table : memref<2xi1>
  %a = memref.load %t[%i] : memref<2xi1>
  memref.store %a, %x[%i] : memref<2xi1>
  return
}
