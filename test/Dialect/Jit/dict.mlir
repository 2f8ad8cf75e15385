// RUN: jit-opt %s --canonicalize | FileCheck %s

!dict = !jit.dict<!jit.str, i64>

// Of equal keys the place is the first's, the value the second's.
// CHECK-LABEL: func.func @merge
// CHECK-SAME: (%[[A:.*]]: i64, %[[B:.*]]: i64, %[[C:.*]]: i64)
func.func @merge(%a: i64, %b: i64, %c: i64) -> !dict {
  %x = jit.constant !jit.str = "x"
  %y = jit.constant !jit.str = "y"
  %z = jit.constant !jit.str = "z"
  %first = jit.dict keys(%x, %y : !jit.str, !jit.str) values(%a, %b : i64, i64) : !dict
  %second = jit.dict keys(%z, %x : !jit.str, !jit.str) values(%c, %b : i64, i64) : !dict
  // CHECK-DAG: %[[X:.*]] = jit.constant !jit.str = "x"
  // CHECK-DAG: %[[Y:.*]] = jit.constant !jit.str = "y"
  // CHECK-DAG: %[[Z:.*]] = jit.constant !jit.str = "z"
  // CHECK: jit.dict keys(%[[X]], %[[Y]], %[[Z]] : {{.*}}) values(%[[B]], %[[B]], %[[C]] :
  %r = jit.dict_merge %first, %second : (!dict, !dict) -> !dict
  return %r : !dict
}

// A key that is not known may be equal to any.
// CHECK-LABEL: func.func @open
func.func @open(%key: !jit.str, %a: i64) -> !dict {
  %x = jit.constant !jit.str = "x"
  %first = jit.dict keys(%x : !jit.str) values(%a : i64) : !dict
  %second = jit.dict keys(%key : !jit.str) values(%a : i64) : !dict
  // CHECK: jit.dict_merge
  %r = jit.dict_merge %first, %second : (!dict, !dict) -> !dict
  // CHECK: jit.dict_erase
  %s = jit.dict_erase %r[%x] : (!dict, !jit.str) -> !dict
  return %s : !dict
}

// CHECK-LABEL: func.func @erase
// CHECK-SAME: (%[[A:.*]]: i64, %[[B:.*]]: i64)
func.func @erase(%a: i64, %b: i64) -> !dict {
  %x = jit.constant !jit.str = "x"
  %y = jit.constant !jit.str = "y"
  %d = jit.dict keys(%x, %y : !jit.str, !jit.str) values(%a, %b : i64, i64) : !dict
  // CHECK: %[[Y:.*]] = jit.constant !jit.str = "y"
  // CHECK: jit.dict keys(%[[Y]] : !jit.str) values(%[[B]] : i64)
  %r = jit.dict_erase %d[%x] : (!dict, !jit.str) -> !dict
  return %r : !dict
}
