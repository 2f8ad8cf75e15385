// RUN: jit-opt %s --split-input-file --jit-specialize="args=f32[2],3,true" --canonicalize | FileCheck %s

// A list that is made and grows in a way of a branch on data is that way's own; what comes out of the branch is one of two.

!l = !jit.list<i64>
// CHECK-LABEL: func.func @forward
// CHECK-SAME: value = ["either", 0, ["list", 1, 2, 3], ["list", 4, 5, 6]]
func.func @forward(%x: !jit.tensor, %n: i64, %c: i1) -> !l {
  %none = jit.constant !jit.none = unit
  %s = aten.sum %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %d = aten.Bool.Tensor %s : (!jit.tensor) -> i1
  %b = scf.if %d -> !l {
    %a = jit.list %n, %n : (i64, i64) -> !l
    %aa = jit.list %a : (!l) -> !jit.list<!l>
    %zero = arith.constant 0 : i64
    %row = aten.__getitem__.t %aa, %zero : (!jit.list<!l>, i64) -> !l
    jit.append %row, %n : !l, i64
    scf.yield %a : !l
  } else {
    %zero = arith.constant 0 : i64
    %a = jit.list %zero, %n, %zero : (i64, i64, i64) -> !l
    scf.yield %a : !l
  }
  return %b : !l
}

// -----

// What is made of a list that another one holds is a copy: it does not grow with it.

!l = !jit.list<i64>
// CHECK-LABEL: func.func @forward
// CHECK-SAME: jit.outputs = [{value = ["list", 0]}, {value = ["list", 1, 2]}]
func.func @forward(%x: !jit.tensor, %n: i64, %c: i1) -> (!l, !l) {
  %zero = arith.constant 0 : i64
  %a = jit.list %n : (i64) -> !l
  %o = jit.derefine %a : !l to !jit.optional<!l>
  %u = jit.unchecked_cast %o : !jit.optional<!l> to !l
  %copy = aten.list.t %u : (!l) -> !l
  %aa = jit.list %a : (!l) -> !jit.list<!l>
  %row = aten.__getitem__.t %aa, %zero : (!jit.list<!l>, i64) -> !l
  jit.append %row, %n : !l, i64
  return %copy, %a : !l, !l
}

// -----

// A part of all of a list is a list of its own, too.

!l = !jit.list<i64>
// CHECK-LABEL: func.func @forward
// CHECK-SAME: jit.outputs = [{value = ["list", 0]}, {value = ["list", 1, 2]}]
func.func @forward(%x: !jit.tensor, %n: i64, %c: i1) -> (!l, !l) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %none = jit.constant !jit.none = unit
  %a = jit.list %n : (i64) -> !l
  %part = aten.slice.t %a, %none, %none, %one : (!l, !jit.none, !jit.none, i64) -> !l
  %aa = jit.list %a : (!l) -> !jit.list<!l>
  %row = aten.__getitem__.t %aa, %zero : (!jit.list<!l>, i64) -> !l
  jit.append %row, %n : !l, i64
  return %part, %a : !l, !l
}

// -----

// The rows of a copy of a list of lists are the rows themselves.

!l = !jit.list<i64>
!ll = !jit.list<!l>
// CHECK-LABEL: func.func @forward
// CHECK-SAME: jit.outputs = [{value = ["list", ["list", 0, 1]]}, {value = ["list", 2, 3]}]
func.func @forward(%x: !jit.tensor, %n: i64, %c: i1) -> (!ll, !l) {
  %zero = arith.constant 0 : i64
  %a = jit.list %n : (i64) -> !l
  %aa = jit.list %a : (!l) -> !ll
  %copy = aten.copy.t %aa : (!ll) -> !ll
  %row = aten.__getitem__.t %aa, %zero : (!ll, i64) -> !l
  jit.append %row, %n : !l, i64
  return %copy, %a : !ll, !l
}

// -----

// A dict of lists in a tuple: what it holds grows by every name.

!l = !jit.list<i64>
!d = !jit.dict<i64, !l>
!o = !jit.optional<!d>
// CHECK-LABEL: func.func @forward
// CHECK-SAME: jit.outputs = [{value = ["dict", 0, ["list", 1, 2]]}, {value = ["list", 3, 4]}]
func.func @forward(%x: !jit.tensor, %n: i64, %c: i1) -> (!d, !l) {
  %zero = arith.constant 0 : i64
  %a = jit.list %n : (i64) -> !l
  %d = jit.dict keys(%n : i64) values(%a : !l) : !d
  %o = jit.derefine %d : !d to !o
  %aa = jit.list %a : (!l) -> !jit.list<!l>
  %row = aten.__getitem__.t %aa, %zero : (!jit.list<!l>, i64) -> !l
  jit.append %row, %n : !l, i64
  %u = jit.unchecked_cast %o : !o to !d
  return %u, %a : !d, !l
}
