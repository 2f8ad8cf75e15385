// RUN: jit-opt %s --jit-simplify | FileCheck %s

// One value is one object; two may be.
// CHECK-LABEL: func.func @forward
// CHECK-SAME: (%[[X:.*]]: !jit.tensor, %[[Y:.*]]: !jit.tensor)
func.func @forward(%x: !jit.tensor, %y: !jit.tensor) -> (i1, i1, i1) {
  // CHECK-DAG: %[[T:.*]] = arith.constant true
  // CHECK-DAG: %[[F:.*]] = arith.constant false
  // CHECK: %[[OPEN:.*]] = aten.__is__ %[[X]], %[[Y]]
  %is = aten.__is__ %x, %x : (!jit.tensor, !jit.tensor) -> i1
  %not = aten.__isnot__ %x, %x : (!jit.tensor, !jit.tensor) -> i1
  %open = aten.__is__ %x, %y : (!jit.tensor, !jit.tensor) -> i1
  // CHECK: return %[[T]], %[[F]], %[[OPEN]]
  return %is, %not, %open : i1, i1, i1
}
