// RUN: jit-opt %s --split-input-file --jit-specialize="args=16000" | FileCheck %s

// Membership in a list and equality of lists are comparisons of ints, folded where these are known.
// CHECK-LABEL: func.func @forward
func.func @forward(%rate: i64) -> (i1, i1, i64) {
  %a = arith.constant 8000 : i64
  %b = arith.constant 16000 : i64
  %m1 = arith.constant -1 : i64
  %rates = jit.list %a, %b : (i64, i64) -> !jit.list<i64>
  %known = aten.__contains__.int_list %rates, %rate : (!jit.list<i64>, i64) -> i1
  %twice = aten.add.t %rates, %rates : (!jit.list<i64>, !jit.list<i64>) -> !jit.list<i64>
  %same = aten.eq.int_list %rates, %twice : (!jit.list<i64>, !jit.list<i64>) -> i1
  %last = aten.__getitem__.t %twice, %m1 : (!jit.list<i64>, i64) -> i64
  // CHECK-DAG: %[[T:.*]] = arith.constant true
  // CHECK-DAG: %[[F:.*]] = arith.constant false
  // CHECK-DAG: %[[L:.*]] = arith.constant 16000 : i64
  // CHECK: return %[[T]], %[[F]], %[[L]]
  return %known, %same, %last : i1, i1, i64
}

// -----

// CHECK-LABEL: func.func @forward
func.func @forward(%rate: i64) -> (i1, i64, i1) {
  %key = jit.constant !jit.str = "stride"
  %other = jit.constant !jit.str = "pad"
  %none = jit.constant !jit.none = unit
  %dict = jit.dict keys(%key : !jit.str) values(%rate : i64) : !jit.dict<!jit.str, i64>
  %has = aten.__contains__.str %dict, %other : (!jit.dict<!jit.str, i64>, !jit.str) -> i1
  %value = aten.__getitem__.Dict_str %dict, %key : (!jit.dict<!jit.str, i64>, !jit.str) -> i64
  %is = aten.__is__ %rate, %none : (i64, !jit.none) -> i1
  // CHECK-DAG: %[[F:.*]] = arith.constant false
  // CHECK-DAG: %[[V:.*]] = arith.constant 16000 : i64
  // CHECK: return %[[F]], %[[V]], %[[F]]
  return %has, %value, %is : i1, i64, i1
}
