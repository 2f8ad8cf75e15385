// RUN: jit-opt %s --jit-specialize="args=f32[5,4]" | FileCheck %s

// A while loop takes an element from the front of a list and puts one at its end. A list that does not change is no variable.

// CHECK-LABEL: func.func @forward
// CHECK: scf.while {{.*}} -> {{.*}}(!jit.tensor<[?,4],f32>, !jit.tensor<[?],i64>)
// CHECK-NOT: !jit.list<!jit.tensor>, {{.*}}scf.condition
// CHECK: scf.condition
// CHECK: do
// CHECK: aten.slice.Tensor
// CHECK: scf.yield {{.*}} : !jit.tensor<[?,4],f32>, !jit.tensor<[?],i64>
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %none = jit.constant !jit.none = unit
  %start = jit.list %x : (!jit.tensor) -> !jit.list<!jit.tensor>
  %same = jit.list %x : (!jit.tensor) -> !jit.list<!jit.tensor>
  %r:2 = scf.while (%queue = %start, %other = %same) : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>) -> (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>) {
    %first = aten.__getitem__.t %queue, %zero : (!jit.list<!jit.tensor>, i64) -> !jit.tensor
    %sum = aten.sum %first, %none : (!jit.tensor, !jit.none) -> !jit.tensor
    %goes = aten.Bool.Tensor %sum : (!jit.tensor) -> i1
    scf.condition(%goes) %queue, %other : !jit.list<!jit.tensor>, !jit.list<!jit.tensor>
  } do {
  ^bb0(%queue: !jit.list<!jit.tensor>, %other: !jit.list<!jit.tensor>):
    %first = aten.__getitem__.t %queue, %zero : (!jit.list<!jit.tensor>, i64) -> !jit.tensor
    %half = aten.slice.Tensor %first, %zero, %one, %none, %one : (!jit.tensor, i64, i64, !jit.none, i64) -> !jit.tensor
    %rest = aten.slice.t %queue, %one, %none, %one : (!jit.list<!jit.tensor>, i64, !jit.none, i64) -> !jit.list<!jit.tensor>
    %longer = jit.list_append %rest, %half : (!jit.list<!jit.tensor>, !jit.tensor) -> !jit.list<!jit.tensor>
    scf.yield %longer, %other : !jit.list<!jit.tensor>, !jit.list<!jit.tensor>
  }
  %all = aten.cat %r#0, %zero : (!jit.list<!jit.tensor>, i64) -> !jit.tensor
  return %all : !jit.tensor
}
