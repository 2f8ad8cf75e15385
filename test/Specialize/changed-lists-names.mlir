// RUN: jit-opt %s --split-input-file --jit-specialize="args=f32[2],?int,?bool" --canonicalize | FileCheck %s

!l = !jit.list<i64>
!d = !jit.dict<!jit.str, i64>
// A dict that a list holds changes by all its names; another one, that is equal, does not.
// CHECK-LABEL: func.func @forward
// CHECK-SAME: jit.outputs = [{value = ["list", ["dict", "a", 0, "b", 1], ["dict", "a", 2]]}, {value = ["dict", "a", 3, "b", 4]}]
// CHECK: %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK: return %arg1, %[[ZERO]], %arg1, %arg1, %[[ZERO]]
func.func @forward(%x: !jit.tensor, %n: i64, %c: i1) -> (!jit.list<!d>, !d) {
  %zero = arith.constant 0 : i64
  %a = jit.constant !jit.str = "a"
  %b = jit.constant !jit.str = "b"
  %d = jit.dict keys(%a : !jit.str) values(%n : i64) : !d
  %other = jit.dict keys(%a : !jit.str) values(%n : i64) : !d
  %dd = jit.list %d, %other : (!d, !d) -> !jit.list<!d>
  %row = aten.__getitem__.t %dd, %zero : (!jit.list<!d>, i64) -> !d
  %entry = jit.dict keys(%b : !jit.str) values(%zero : i64) : !d
  %new = jit.dict_merge %row, %entry : (!d, !d) -> !d
  jit.replace %row, %new : !d, !d
  return %dd, %d : !jit.list<!d>, !d
}

// -----

!l = !jit.list<i64>
!d = !jit.dict<!jit.str, i64>
// In one way of a branch alone: what follows is evaluated in each.
// CHECK-LABEL: func.func @forward
// CHECK-SAME: jit.outputs = [{value = ["either", 0, ["list", ["list", 1, 2], ["list", 3, 4]], ["list", ["list", 5], ["list", 6]]]}, {value = 7 : i64}]
// CHECK: %[[LENGTH:.*]] = arith.select %arg2, %c2_i64, %c1_i64
// CHECK: return %arg2, %arg1, %arg1, %arg1, %arg1, %arg1, %arg1, %[[LENGTH]]
func.func @forward(%x: !jit.tensor, %n: i64, %c: i1) -> (!jit.list<!l>, i64) {
  %zero = arith.constant 0 : i64
  %l = jit.list %n : (i64) -> !l
  %ll = jit.list %l, %l : (!l, !l) -> !jit.list<!l>
  scf.if %c {
    %row = aten.__getitem__.t %ll, %zero : (!jit.list<!l>, i64) -> !l
    jit.append %row, %n : !l, i64
  }
  %k = aten.len.t %l : (!l) -> i64
  return %ll, %k : !jit.list<!l>, i64
}

// -----

!l = !jit.list<i64>
// A list that a way makes, changes and gives is its own.
// CHECK-LABEL: func.func @forward
// CHECK-SAME: jit.outputs = [{value = ["list", ["list", 0]]}]
// CHECK: return %arg1
func.func @forward(%x: !jit.tensor, %n: i64, %c: i1) -> !jit.list<!l> {
  %zero = arith.constant 0 : i64
  %l = jit.list %n : (i64) -> !l
  %r = scf.if %c -> !jit.list<!l> {
    %m = jit.list : () -> !l
    %mm = jit.list %m : (!l) -> !jit.list<!l>
    %row = aten.__getitem__.t %mm, %zero : (!jit.list<!l>, i64) -> !l
    jit.append %row, %n : !l, i64
    scf.yield %mm : !jit.list<!l>
  } else {
    %mm = jit.list %l : (!l) -> !jit.list<!l>
    scf.yield %mm : !jit.list<!l>
  }
  return %r : !jit.list<!l>
}

// -----

!l = !jit.list<i64>
// The sum of two lists of lists is a third one, which does not grow with the second, but the lists in it are those of the first.
// CHECK-LABEL: func.func @forward
// CHECK-SAME: jit.outputs = [{value = ["list", ["list", 0, 1]]}, {value = ["list", ["list", 2, 3]]}]
// CHECK: return %arg1, %arg1, %arg1, %arg1
func.func @forward(%x: !jit.tensor, %n: i64, %c: i1) -> (!jit.list<!l>, !jit.list<!l>) {
  %zero = arith.constant 0 : i64
  %l = jit.list %n : (i64) -> !l
  %a = jit.list %l : (!l) -> !jit.list<!l>
  %b = jit.list : () -> !jit.list<!l>
  %bb = jit.list %b : (!jit.list<!l>) -> !jit.list<!jit.list<!l>>
  %first = aten.__getitem__.t %bb, %zero : (!jit.list<!jit.list<!l>>, i64) -> !jit.list<!l>
  %sum = aten.add.t %a, %first : (!jit.list<!l>, !jit.list<!l>) -> !jit.list<!l>
  jit.append %first, %l : !jit.list<!l>, !l
  jit.append %l, %n : !l, i64
  return %sum, %b : !jit.list<!l>, !jit.list<!l>
}
