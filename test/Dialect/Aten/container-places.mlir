// RUN: jit-opt %s --split-input-file --jit-specialize="args=7,f32[2]" | FileCheck %s

// Where an element is and how often; the entries of a dict, one and all.
// CHECK-LABEL: func.func @forward
// CHECK-SAME: %[[X:.*]]: !jit.tensor<[2],f32>
func.func @forward(%n: i64, %x: !jit.tensor) -> (i64, i64, !jit.tensor, i64) {
  %five = arith.constant 5 : i64
  %zero = arith.constant 0 : i64
  %list = jit.list %five, %n, %five : (i64, i64, i64) -> !jit.list<i64>
  %at = aten.index.list_int %list, %n : (!jit.list<i64>, i64) -> i64
  %times = aten.count.int %list, %five : (!jit.list<i64>, i64) -> i64
  %key = jit.constant !jit.str = "key"
  %other = jit.constant !jit.str = "other"
  %dict = jit.dict keys(%key : !jit.str) values(%n : i64) : !jit.dict<!jit.str, i64>
  %value = aten.get.default_str %dict, %other, %five : (!jit.dict<!jit.str, i64>, !jit.str, i64) -> i64
  %items = aten.items.str %dict : (!jit.dict<!jit.str, i64>) -> !jit.list<!jit.tuple<!jit.str, i64>>
  %item = aten.__getitem__.t %items, %zero : (!jit.list<!jit.tuple<!jit.str, i64>>, i64) -> !jit.tuple<!jit.str, i64>
  %second = jit.tuple_index %item[1] : (!jit.tuple<!jit.str, i64>) -> i64
  %sum = aten.add.int %value, %second : (i64, i64) -> i64
  // CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i64
  // CHECK-DAG: %[[TWO:.*]] = arith.constant 2 : i64
  // CHECK-DAG: %[[SUM:.*]] = arith.constant 12 : i64
  // CHECK: return %[[ONE]], %[[TWO]], %[[X]], %[[SUM]]
  return %at, %times, %x, %sum : i64, i64, !jit.tensor, i64
}

// -----

// An element that is not there has no place: the operator stays and is refused later.
// CHECK-LABEL: func.func @forward
func.func @forward(%n: i64, %x: !jit.tensor) -> i64 {
  %five = arith.constant 5 : i64
  %list = jit.list %five : (i64) -> !jit.list<i64>
  // CHECK: aten.index.list_int
  %at = aten.index.list_int %list, %n : (!jit.list<i64>, i64) -> i64
  return %at : i64
}
