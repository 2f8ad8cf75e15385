// RUN: jit-opt %s --jit-functionalize-lists | FileCheck %s

!list = !jit.list<!jit.tensor>

// CHECK-LABEL: func.func @loop
// CHECK-SAME: (%[[X:.*]]: !jit.tensor, %[[M:.*]]: i64, %[[C:.*]]: i1)
func.func @loop(%x: !jit.tensor, %m: i64, %c: i1) -> !list {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  // CHECK: %[[L:.*]] = jit.list : () -> !jit.list<!jit.tensor>
  %l = jit.list : () -> !list
  // CHECK: %[[FOR:.*]] = scf.for {{.*}} iter_args(%[[A:.*]] = %[[L]]) -> (!jit.list<!jit.tensor>)
  scf.for %i = %zero to %m step %one : i64 {
    // CHECK: %[[A1:.*]] = jit.list_append %[[A]], %[[X]]
    jit.append %l, %x : !list, !jit.tensor
    // CHECK: %[[IF:.*]] = scf.if %[[C]]
    scf.if %c {
      // CHECK: %[[A2:.*]] = jit.list_append %[[A1]], %[[X]]
      // CHECK: scf.yield %[[A2]]
      // CHECK: scf.yield %[[A1]]
      jit.append %l, %x : !list, !jit.tensor
    }
    // CHECK: scf.yield %[[IF]]
  }
  // CHECK: return %[[FOR]]
  return %l : !list
}

// CHECK-LABEL: func.func @argument
// CHECK-SAME: (%[[L:.*]]: !jit.list<!jit.tensor>, %[[X:.*]]: !jit.tensor) -> (!jit.list<!jit.tensor> {jit.mutates = array<i64: 0>})
func.func @argument(%l: !list, %x: !jit.tensor) {
  // CHECK: %[[R:.*]] = jit.list_append %[[L]], %[[X]]
  // CHECK: return %[[R]]
  jit.append %l, %x : !list, !jit.tensor
  return
}

// The elements of a list are no other name for the list, nor is a list made from them.
// CHECK-LABEL: func.func @elements
// CHECK-SAME: (%[[X:.*]]: !jit.tensor) -> (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>)
func.func @elements(%x: !jit.tensor) -> (!list, !list) {
  // CHECK: %[[L:.*]] = jit.list %[[X]]
  // CHECK: %[[M:.*]] = jit.list %[[X]]
  // CHECK: %[[N:.*]] = jit.list_append %[[L]], %[[X]]
  // CHECK: return %[[N]], %[[M]]
  %l = jit.list %x : (!jit.tensor) -> !list
  %m = jit.list %x : (!jit.tensor) -> !list
  jit.append %l, %x : !list, !jit.tensor
  return %l, %m : !list, !list
}

// What is replaced is gone for whoever looks later; what was read before stays.
// CHECK-LABEL: func.func @replaced
// CHECK-SAME: (%[[X:.*]]: i64)
func.func @replaced(%x: i64) -> (i64, !jit.dict<!jit.str, i64>) {
  %key = jit.constant !jit.str = "k"
  // CHECK: %[[D:.*]] = jit.dict keys() values()
  %d = jit.dict keys() values() : !jit.dict<!jit.str, i64>
  %before = aten.len.Dict_str %d : (!jit.dict<!jit.str, i64>) -> i64
  // CHECK: %[[BEFORE:.*]] = aten.len.Dict_str %[[D]]
  %entry = jit.dict keys(%key : !jit.str) values(%x : i64) : !jit.dict<!jit.str, i64>
  // CHECK: %[[NEW:.*]] = jit.dict_merge %[[D]],
  %new = jit.dict_merge %d, %entry : (!jit.dict<!jit.str, i64>, !jit.dict<!jit.str, i64>) -> !jit.dict<!jit.str, i64>
  jit.replace %d, %new : !jit.dict<!jit.str, i64>, !jit.dict<!jit.str, i64>
  // CHECK: return %[[BEFORE]], %[[NEW]]
  return %before, %d : i64, !jit.dict<!jit.str, i64>
}
