// RUN: jit-opt %s --jit-expand-math | FileCheck %s

// In f64 nothing of a small argument is lost: it is its own e^x - 1 where e^x is 1.
// CHECK-LABEL: func.func @wide(
// CHECK-SAME:    %[[X:.*]]: f64
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1.0
// CHECK-DAG:     %[[E:.*]] = math.exp %[[X]]
// CHECK-DAG:     %[[LESS:.*]] = arith.subf %[[E]], %[[ONE]]
// CHECK:         %[[LOG:.*]] = math.log %[[E]]
// CHECK:         arith.divf %[[X]], %[[LOG]]
// CHECK:         %[[IS:.*]] = arith.cmpf oeq, %[[E]], %[[ONE]]
// CHECK:         %[[R:.*]] = arith.select %[[IS]], %[[X]]
// CHECK:         return %[[R]]
// CHECK-NOT:     math.expm1
func.func @wide(%x: f64) -> f64 {
  %a = math.expm1 %x : f64
  return %a : f64
}
