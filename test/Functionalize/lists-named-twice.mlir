// RUN: jit-opt %s --jit-functionalize-lists | FileCheck %s

!l = !jit.list<i64>

// What a branch gives may be the list that changes: where it is read afterwards the change is left for Specialize, which knows which it is.
// CHECK-LABEL: func.func @read_later
// CHECK: jit.append
// CHECK-NOT: jit.list_append
func.func @read_later(%n: i64, %c: i1) -> (!l, i64) {
  %l = jit.list : () -> !l
  %m = jit.list : () -> !l
  %b = scf.if %c -> !l {
    scf.yield %l : !l
  } else {
    scf.yield %m : !l
  }
  jit.append %l, %n : !l, i64
  %k = aten.len.t %b : (!l) -> i64
  return %l, %k : !l, i64
}

// Where it was read before, or is only seen under another type that nobody reads, the list has one name.
// CHECK-LABEL: func.func @read_before
// CHECK-NOT: jit.append
// CHECK: %[[L:.*]] = jit.list_append
// CHECK: return %[[L]]
func.func @read_before(%n: i64, %c: i1) -> (!l, i64) {
  %l = jit.list : () -> !l
  %m = jit.list : () -> !l
  %b = scf.if %c -> !l {
    scf.yield %l : !l
  } else {
    scf.yield %m : !l
  }
  %k = aten.len.t %b : (!l) -> i64
  jit.append %l, %n : !l, i64
  %o = jit.derefine %b : !l to !jit.optional<!l>
  return %l, %k : !l, i64
}

// A tuple and a dict hold the list itself.
// CHECK-LABEL: func.func @in_tuple
// CHECK: jit.append
// CHECK-NOT: jit.list_append
func.func @in_tuple(%n: i64) -> i64 {
  %l = jit.list : () -> !l
  %t = jit.tuple %l, %n : (!l, i64) -> !jit.tuple<!l, i64>
  jit.append %l, %n : !l, i64
  %a, %b = jit.tuple_unpack %t : (!jit.tuple<!l, i64>) -> (!l, i64)
  %k = aten.len.t %a : (!l) -> i64
  return %k : i64
}

// A list of the elements of two lists is neither of them.
// CHECK-LABEL: func.func @joined
// CHECK: %[[BOTH:.*]] = aten.add.t
// CHECK: %[[L:.*]] = jit.list_append
// CHECK: return %[[L]], %[[BOTH]]
func.func @joined(%n: i64) -> (!l, !l) {
  %l = jit.list %n : (i64) -> !l
  %m = jit.list %n, %n : (i64, i64) -> !l
  %both = aten.add.t %l, %m : (!l, !l) -> !l
  jit.append %l, %n : !l, i64
  return %l, %both : !l, !l
}

// Its elements are those of both: a list among them changes for whoever looks.
// CHECK-LABEL: func.func @joined_rows
// CHECK: jit.append
// CHECK-NOT: jit.list_append
func.func @joined_rows(%n: i64) -> !jit.list<!l> {
  %row = jit.list %n : (i64) -> !l
  %l = jit.list %row : (!l) -> !jit.list<!l>
  %m = jit.list : () -> !jit.list<!l>
  %both = aten.add.t %l, %m : (!jit.list<!l>, !jit.list<!l>) -> !jit.list<!l>
  jit.append %row, %n : !l, i64
  return %both : !jit.list<!l>
}

// What may be the caller's list is left, and handed back.
// CHECK-LABEL: func.func @callers(
// CHECK-SAME: -> (!jit.list<i64> {jit.mutates = array<i64: 0>})
// CHECK: jit.append
// CHECK: return %arg0
func.func @callers(%l: !l, %n: i64, %c: i1) {
  %m = jit.list : () -> !l
  %b = scf.if %c -> !l {
    scf.yield %l : !l
  } else {
    scf.yield %m : !l
  }
  jit.append %b, %n : !l, i64
  return
}

// Another argument, of a type that can neither be nor hold it, is not.
// CHECK-LABEL: func.func @others(
// CHECK-SAME: -> (!jit.list<i64> {jit.mutates = array<i64: 0>})
func.func @others(%l: !l, %x: !jit.list<!jit.tensor>, %n: i64, %c: i1) {
  %m = jit.list : () -> !l
  %b = scf.if %c -> !l {
    scf.yield %l : !l
  } else {
    scf.yield %m : !l
  }
  jit.append %b, %n : !l, i64
  return
}

// A list that module state holds is read again.
jit.slot @s : !l = [] {jit.mutable}
// CHECK-LABEL: func.func @state
// CHECK: jit.append
// CHECK-NOT: jit.list_append
func.func @state(%n: i64) {
  %l = jit.slot_get @s : !l
  jit.append %l, %n : !l, i64
  return
}
