// RUN: jit-opt %s --jit-functionalize-lists | FileCheck %s
// RUN: jit-opt %s --jit-functionalize-lists --jit-specialize="entry=in_a_branch args=[1],false" | FileCheck %s --check-prefix=DEAD

// Which list is written by another name, in another list, Specialize knows. What may be one of those that are left is
// left too, other lists are not.
// CHECK-LABEL: func.func @by_another_name
// CHECK: %[[L:.*]] = jit.list :
// CHECK: jit.append %[[L]], %arg0
// CHECK: jit.append %{{.*}}, %arg0
// CHECK: jit.list_append
// CHECK-NOT: jit.append
func.func @by_another_name(%x: !jit.tensor) -> (!jit.list<!jit.list<!jit.tensor>>, !jit.list<!jit.tensor>) {
  %l = jit.list : () -> !jit.list<!jit.tensor>
  %m = jit.list : () -> !jit.list<!jit.tensor>
  %ll = jit.list %l : (!jit.list<!jit.tensor>) -> !jit.list<!jit.list<!jit.tensor>>
  jit.append %l, %x : !jit.list<!jit.tensor>, !jit.tensor
  %none = arith.constant 0 : i64
  %row = aten.__getitem__.t %ll, %none : (!jit.list<!jit.list<!jit.tensor>>, i64) -> !jit.list<!jit.tensor>
  jit.append %row, %x : !jit.list<!jit.tensor>, !jit.tensor
  jit.append %m, %x : !jit.list<!jit.tensor>, !jit.tensor
  return %ll, %m : !jit.list<!jit.list<!jit.tensor>>, !jit.list<!jit.tensor>
}

// What was put into a list is reached through it.
// CHECK-LABEL: func.func @stored
// CHECK: jit.append
// CHECK: jit.append
// CHECK-NOT: jit.list_append
!inner = !jit.list<i64>
func.func @stored(%n: i64) -> !jit.list<!inner> {
  %outer = jit.list : () -> !jit.list<!inner>
  %inner = jit.list : () -> !inner
  jit.append %outer, %inner : !jit.list<!inner>, !inner
  jit.append %inner, %n : !inner, i64
  return %outer : !jit.list<!inner>
}

// An argument that may be written is handed back.
// CHECK-LABEL: func.func @in_a_branch(
// CHECK-SAME: jit.mutates = array<i64: 0>
// CHECK: scf.if %{{.*}} {
// CHECK: jit.replace
// CHECK: return %{{.*}}, %arg0
// DEAD: func.func @in_a_branch({{.*}}) -> i64 attributes
func.func @in_a_branch(%l: !jit.list<i64>, %c: i1) -> i64 {
  %none = arith.constant 0 : i64
  %rows = jit.list %l : (!jit.list<i64>) -> !jit.list<!jit.list<i64>>
  %row = aten.__getitem__.t %rows, %none : (!jit.list<!jit.list<i64>>, i64) -> !jit.list<i64>
  scf.if %c {
    %new = jit.list : () -> !jit.list<i64>
    jit.replace %row, %new : !jit.list<i64>, !jit.list<i64>
  }
  %n = aten.len.t %l : (!jit.list<i64>) -> i64
  return %n : i64
}
