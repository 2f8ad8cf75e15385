// RUN: jit-opt %s --split-input-file --jit-specialize="args=f32[2],?int,?bool" --canonicalize | FileCheck %s

!l = !jit.list<i64>
// Another list changes beside two of which data tell one.
// CHECK-LABEL: func.func @forward
// CHECK-SAME: jit.outputs = [{value = ["list", 0, 1]}, {value = 2 : i64}]
// CHECK: %[[LENGTH:.*]] = arith.select %arg2, %c1_i64, %c2_i64
// CHECK: return %arg1, %c1_i64, %[[LENGTH]]
func.func @forward(%x: !jit.tensor, %n: i64, %c: i1) -> (!l, i64) {
  %a = jit.list %n : (i64) -> !l
  %b = jit.list %n, %n : (i64, i64) -> !l
  %m = jit.list : () -> !l
  %k = aten.len.t %a : (!l) -> i64
  jit.append %m, %n : !l, i64
  %one = scf.if %c -> !l {
    scf.yield %a : !l
  } else {
    scf.yield %b : !l
  }
  jit.append %m, %k : !l, i64
  %len = aten.len.t %one : (!l) -> i64
  return %m, %len : !l, i64
}

// -----

!l = !jit.list<i64>
// Under an Optional it is the same list.
// CHECK-LABEL: func.func @forward
// CHECK-SAME: jit.outputs = [{value = ["list", 0, 1]}, {value = ["list", 2, 3]}]
func.func @forward(%x: !jit.tensor, %n: i64, %c: i1) -> (!jit.optional<!l>, !l) {
  %zero = arith.constant 0 : i64
  %a = jit.list %n : (i64) -> !l
  %o = jit.derefine %a : !l to !jit.optional<!l>
  %aa = jit.list %a : (!l) -> !jit.list<!l>
  %row = aten.__getitem__.t %aa, %zero : (!jit.list<!l>, i64) -> !l
  jit.append %row, %n : !l, i64
  return %o, %a : !jit.optional<!l>, !l
}

// -----

!l = !jit.list<i64>
// What it becomes is a list of its own: that of which it takes the elements does not grow with it.
// CHECK-LABEL: func.func @forward
// CHECK-SAME: jit.outputs = [{value = ["list", 0, 1, 2]}, {value = ["list", 3, 4]}]
// CHECK: return %c0_i64, %c0_i64, %arg1, %c0_i64, %c0_i64
func.func @forward(%x: !jit.tensor, %n: i64, %c: i1) -> (!l, !l) {
  %zero = arith.constant 0 : i64
  %a = jit.list %n : (i64) -> !l
  %b = jit.list %zero, %zero : (i64, i64) -> !l
  %aa = jit.list %a : (!l) -> !jit.list<!l>
  %row = aten.__getitem__.t %aa, %zero : (!jit.list<!l>, i64) -> !l
  jit.replace %row, %b : !l, !l
  jit.append %row, %n : !l, i64
  return %a, %b : !l, !l
}

// -----

!l = !jit.list<i64>
!d = !jit.dict<!jit.str, !l>
// A dict holds the list itself.
// CHECK-LABEL: func.func @forward
// CHECK-SAME: jit.outputs = [{value = ["dict", "k", ["list", 0, 1]]}, {value = ["list", 2, 3]}]
func.func @forward(%x: !jit.tensor, %n: i64, %c: i1) -> (!d, !l) {
  %key = jit.constant !jit.str = "k"
  %a = jit.list %n : (i64) -> !l
  %d = jit.dict keys(%key : !jit.str) values(%a : !l) : !d
  %row = aten.__getitem__.Dict_str %d, %key : (!d, !jit.str) -> !l
  jit.append %row, %n : !l, i64
  return %d, %a : !d, !l
}

// -----

!l = !jit.list<i64>
// And so does a tuple.
// CHECK-LABEL: func.func @forward
// CHECK-SAME: jit.outputs = [{value = ["list", 0, 1]}, {value = ["tuple", ["list", 2, 3], 4]}]
func.func @forward(%x: !jit.tensor, %n: i64, %c: i1) -> (!l, !jit.tuple<!l, i64>) {
  %zero = arith.constant 0 : i64
  %a = jit.list %n : (i64) -> !l
  %t = jit.tuple %a, %n : (!l, i64) -> !jit.tuple<!l, i64>
  %aa = jit.list %a : (!l) -> !jit.list<!l>
  %row = aten.__getitem__.t %aa, %zero : (!jit.list<!l>, i64) -> !l
  jit.append %row, %n : !l, i64
  return %row, %t : !l, !jit.tuple<!l, i64>
}
