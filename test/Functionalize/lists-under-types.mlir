// RUN: jit-opt %s --jit-functionalize-lists | FileCheck %s

!l = !jit.list<i64>
!p = !jit.optional<!l>
!ll = !jit.list<!l>

// A list that changes under another type is that list: what stands before and behind sees it.
// CHECK-LABEL: func.func @under_another_type(
// CHECK-SAME: %[[N:[a-z0-9]+]]: i64
// CHECK: %[[L:.*]] = jit.list :
// CHECK: %[[A:.*]] = jit.list_append %[[L]], %[[N]]
// CHECK: %[[B:.*]] = jit.list_append %[[A]], %[[N]]
// CHECK: aten.len.t %[[B]]
// CHECK: return %[[B]]
func.func @under_another_type(%n: i64) -> (!l, i64) {
  %l = jit.list : () -> !l
  %o = jit.derefine %l : !l to !p
  %u = jit.unchecked_cast %o : !p to !l
  jit.append %u, %n : !l, i64
  jit.append %l, %n : !l, i64
  %k = aten.len.t %u : (!l) -> i64
  return %l, %k : !l, i64
}

// An element of a list of lists is that of nobody knows whom: its change is left.
// CHECK-LABEL: func.func @element(
// CHECK: %[[E:.*]] = aten.__getitem__.t
// CHECK: jit.append %[[E]]
// CHECK-NOT: jit.list_append
// CHECK: return
func.func @element(%n: i64) -> i64 {
  %a = jit.list %n : (i64) -> !l
  %b = jit.list : () -> !l
  %rows = jit.list %a, %b : (!l, !l) -> !ll
  %e = aten.__getitem__.t %rows, %n : (!ll, i64) -> !l
  jit.append %e, %n : !l, i64
  %k = aten.len.t %a : (!l) -> i64
  return %k : i64
}

// The trips of a loop append to a list from before it.
// CHECK-LABEL: func.func @in_a_loop(
// CHECK: %[[L:.*]] = jit.list :
// CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%[[T:.*]] = %[[L]])
// CHECK: %[[A:.*]] = jit.list_append %[[T]]
// CHECK: scf.yield %[[A]]
// CHECK: return %[[R]]
func.func @in_a_loop(%n: i64) -> !l {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %l = jit.list : () -> !l
  %o = jit.derefine %l : !l to !p
  %u = jit.unchecked_cast %o : !p to !l
  scf.for %i = %zero to %n step %one : i64 {
    jit.append %u, %i : !l, i64
  }
  return %l : !l
}

// State is written where it is set, not handed back as an argument.
// CHECK-LABEL: func.func @state(
// CHECK-NOT: jit.mutates
// CHECK: return
func.func @state(%l: !l {jit.slot = "s"}, %n: i64) -> i64 {
  jit.append %l, %n : !l, i64
  %k = aten.len.t %l : (!l) -> i64
  return %k : i64
}

// A variable of a loop is no argument of the function.
// CHECK-LABEL: func.func @variable(
// CHECK-NOT: jit.mutates
// CHECK: return
func.func @variable(%n: i64, %c: i1) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %l = jit.list : () -> !l
  %r = scf.for %i = %zero to %n step %one iter_args(%t = %l) -> !l : i64 {
    %new = jit.list %i : (i64) -> !l
    jit.append %new, %i : !l, i64
    %b = scf.if %c -> !l {
      scf.yield %new : !l
    } else {
      scf.yield %t : !l
    }
    jit.append %t, %i : !l, i64
    scf.yield %b : !l
  }
  %k = aten.len.t %r : (!l) -> i64
  return %k : i64
}

// What a list takes over is what the other one is by then.
// CHECK-LABEL: func.func @takes_over(
// CHECK-SAME: %[[N:[a-z0-9]+]]: i64
// CHECK: %[[M:.*]] = jit.list :
// CHECK: %[[A:.*]] = jit.list_append %[[M]], %[[N]]
// CHECK: return %[[A]], %[[A]]
func.func @takes_over(%n: i64) -> (!l, !l) {
  %l = jit.list %n, %n : (i64, i64) -> !l
  %m = jit.list : () -> !l
  jit.append %m, %n : !l, i64
  jit.replace %l, %m : !l, !l
  return %l, %m : !l, !l
}

// An Optional of it that was made before holds what the list is by then.
// CHECK-LABEL: func.func @optional(
// CHECK-SAME: %[[N:[a-z0-9]+]]: i64
// CHECK: %[[L:.*]] = jit.list :
// CHECK: %[[A:.*]] = jit.list_append %[[L]], %[[N]]
// CHECK: %[[O:.*]] = jit.derefine %[[A]]
// CHECK: return %[[O]], %[[A]]
func.func @optional(%n: i64) -> (!p, !l) {
  %l = jit.list : () -> !l
  %o = jit.derefine %l : !l to !p
  jit.append %l, %n : !l, i64
  return %o, %l : !p, !l
}

// An argument that is a list or none: the caller's list is written where it is one.
// CHECK-LABEL: func.func @optional_argument(
// CHECK-SAME: %[[P:[a-z0-9]+]]: !jit.optional<!jit.list<i64>>, %[[N:[a-z0-9]+]]: i64
// CHECK-SAME: {jit.mutates = array<i64: 0>}
// CHECK: %[[U:.*]] = jit.unchecked_cast %[[P]]
// CHECK: %[[A:.*]] = jit.list_append %[[U]], %[[N]]
// CHECK: %[[O:.*]] = jit.derefine %[[A]]
// CHECK: %[[AGAIN:.*]] = jit.unchecked_cast %[[O]]
// CHECK: %[[B:.*]] = jit.list_append %[[AGAIN]], %[[N]]
// CHECK: %[[Q:.*]] = jit.derefine %[[B]]
// CHECK: %[[NOW:.*]] = jit.unchecked_cast %[[Q]]
// CHECK: %[[K:.*]] = aten.len.t %[[NOW]]
// CHECK: return %[[K]], %[[Q]]
func.func @optional_argument(%p: !p, %n: i64) -> i64 {
  %u = jit.unchecked_cast %p : !p to !l
  jit.append %u, %n : !l, i64
  jit.append %u, %n : !l, i64
  %k = aten.len.t %u : (!l) -> i64
  return %k : i64
}

// A list of the tensors of two lists is neither of them: it does not grow with one.
// CHECK-LABEL: func.func @joined_tensors(
// CHECK: %[[BOTH:.*]] = aten.add.t
// CHECK-NOT: jit.append
// CHECK: %[[A:.*]] = jit.list_append
// CHECK: return %[[A]], %[[BOTH]]
func.func @joined_tensors(%x: !jit.tensor) -> (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>) {
  %l = jit.list %x : (!jit.tensor) -> !jit.list<!jit.tensor>
  %m = jit.list %x, %x : (!jit.tensor, !jit.tensor) -> !jit.list<!jit.tensor>
  %both = aten.add.t %l, %m : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>) -> !jit.list<!jit.tensor>
  jit.append %l, %x : !jit.list<!jit.tensor>, !jit.tensor
  return %l, %both : !jit.list<!jit.tensor>, !jit.list<!jit.tensor>
}

// Nor does it where what changes may be one of two, and is left.
// CHECK-LABEL: func.func @joined_beside(
// CHECK: jit.append
// CHECK: %[[BOTH:.*]] = aten.add.t
// CHECK: jit.list_append %[[BOTH]]
func.func @joined_beside(%x: !jit.tensor, %c: i1) -> (i64, !jit.list<!jit.tensor>) {
  %l = jit.list %x : (!jit.tensor) -> !jit.list<!jit.tensor>
  %m = jit.list %x, %x : (!jit.tensor, !jit.tensor) -> !jit.list<!jit.tensor>
  %b = scf.if %c -> !jit.list<!jit.tensor> {
    scf.yield %l : !jit.list<!jit.tensor>
  } else {
    scf.yield %m : !jit.list<!jit.tensor>
  }
  jit.append %b, %x : !jit.list<!jit.tensor>, !jit.tensor
  %both = aten.add.t %l, %m : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>) -> !jit.list<!jit.tensor>
  jit.append %both, %x : !jit.list<!jit.tensor>, !jit.tensor
  %k = aten.len.t %l : (!jit.list<!jit.tensor>) -> i64
  return %k, %both : i64, !jit.list<!jit.tensor>
}
