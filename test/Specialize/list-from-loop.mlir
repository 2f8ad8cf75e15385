// RUN: jit-opt %s --jit-specialize="args=f32[5,4]" --canonicalize | FileCheck %s

// The elements of a list that a loop filled are slices of its tensor, whichever is asked for.
// CHECK-LABEL: func.func @forward
// CHECK: %[[FULL:.*]] = scf.for {{.*}} -> (!jit.tensor<[5,4],f32>)
// CHECK: scf.for %[[I:.*]] = %c0_i64{{.*}} to %c5_i64
// CHECK:   aten.select.int %[[FULL]], %{{.*}}, %[[I]] : {{.*}} -> !jit.tensor<[4],f32>
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %n = aten.size.int %x, %zero : (!jit.tensor, i64) -> i64
  %start = jit.list : () -> !jit.list<!jit.tensor>
  %all = scf.for %i = %zero to %n step %one iter_args(%list = %start) -> (!jit.list<!jit.tensor>) : i64 {
    %row = aten.select.int %x, %zero, %i : (!jit.tensor, i64, i64) -> !jit.tensor
    %y = aten.relu %row : (!jit.tensor) -> !jit.tensor
    %longer = jit.list_append %list, %y : (!jit.list<!jit.tensor>, !jit.tensor) -> !jit.list<!jit.tensor>
    scf.yield %longer : !jit.list<!jit.tensor>
  }
  %first = aten.select.int %x, %zero, %zero : (!jit.tensor, i64, i64) -> !jit.tensor
  %length = aten.len.t %all : (!jit.list<!jit.tensor>) -> i64
  %sum = scf.for %i = %zero to %length step %one iter_args(%acc = %first) -> (!jit.tensor) : i64 {
    %row = aten.__getitem__.t %all, %i : (!jit.list<!jit.tensor>, i64) -> !jit.tensor
    %next = aten.add.Tensor %acc, %row, %one : (!jit.tensor, !jit.tensor, i64) -> !jit.tensor
    scf.yield %next : !jit.tensor
  }
  return %sum : !jit.tensor
}
