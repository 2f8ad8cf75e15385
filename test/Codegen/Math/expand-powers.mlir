// RUN: jit-opt %s --jit-gpu-expand-powers | FileCheck %s

// CHECK-LABEL: func.func @power(
// CHECK-SAME:    %[[X:.*]]: i64, %[[N:.*]]: i64)
// CHECK-NOT:     math.ipowi
// CHECK:         %[[NEGATIVE:.*]] = arith.cmpi slt, %[[N]], %c0
// CHECK:         %[[R:.*]]:3 = scf.while (%{{.*}} = %c1{{.*}}, %{{.*}} = %[[X]], %{{.*}} = %{{.*}})
// CHECK:           arith.shrui
// CHECK:         %[[FRACTION:.*]] = arith.select %{{.*}}, %[[R]]#0, %c0
// CHECK:         arith.select %[[NEGATIVE]], %[[FRACTION]], %[[R]]#0
func.func @power(%x: i64, %n: i64) -> i64 {
  %p = math.ipowi %x, %n : i64
  return %p : i64
}
