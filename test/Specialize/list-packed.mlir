// RUN: jit-opt %s --jit-specialize="args=f32[5,4],?int" --split-input-file | FileCheck %s

// Tensors that differ in one size: they lie one after the other in one tensor, and another one has where each begins and ends.

// CHECK-LABEL: func.func @forward
// CHECK: %[[BOUNDS:.*]] = aten.tensor {{.*}} -> !jit.tensor<[1],i64>
// CHECK: scf.for {{.*}} -> (!jit.tensor<[?,4],f32>, !jit.tensor<[?],i64>)
// CHECK:   %[[PART:.*]] = aten.slice.Tensor %arg0
// CHECK:   aten.cat
// CHECK:   aten.cat
// CHECK: jit.guard {{.*}} "torch.cat(): expected a non-empty list of Tensors"
// CHECK: aten.clone
func.func @forward(%x: !jit.tensor, %n: i64) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %none = jit.constant !jit.none = unit
  %start = jit.list : () -> !jit.list<!jit.tensor>
  %all = scf.for %i = %zero to %n step %one iter_args(%list = %start) -> (!jit.list<!jit.tensor>) : i64 {
    %part = aten.slice.Tensor %x, %zero, %none, %i, %one : (!jit.tensor, i64, !jit.none, i64, i64) -> !jit.tensor
    %longer = jit.list_append %list, %part : (!jit.list<!jit.tensor>, !jit.tensor) -> !jit.list<!jit.tensor>
    scf.yield %longer : !jit.list<!jit.tensor>
  }
  %r = aten.cat %all, %zero : (!jit.list<!jit.tensor>, i64) -> !jit.tensor
  return %r : !jit.tensor
}

// -----

// Of one size they are slices of a tensor of one more dimension; a branch of a loop gives it, too.

// CHECK-LABEL: func.func @forward
// CHECK: scf.for {{.*}} -> (!jit.tensor<[?,4],f32>)
// CHECK:   scf.if {{.*}} -> (!jit.tensor<[?,4],f32>)
// CHECK:     aten.cat
// CHECK: jit.guard {{.*}} "stack expects a non-empty TensorList"
func.func @forward(%x: !jit.tensor, %n: i64) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %none = jit.constant !jit.none = unit
  %start = jit.list : () -> !jit.list<!jit.tensor>
  %all = scf.for %i = %zero to %n step %one iter_args(%list = %start) -> (!jit.list<!jit.tensor>) : i64 {
    %row = aten.select.int %x, %zero, %i : (!jit.tensor, i64, i64) -> !jit.tensor
    %sum = aten.sum %row, %none : (!jit.tensor, !jit.none) -> !jit.tensor
    %number = aten.Bool.Tensor %sum : (!jit.tensor) -> i1
    %more = scf.if %number -> (!jit.list<!jit.tensor>) {
      %longer = jit.list_append %list, %row : (!jit.list<!jit.tensor>, !jit.tensor) -> !jit.list<!jit.tensor>
      scf.yield %longer : !jit.list<!jit.tensor>
    } else {
      scf.yield %list : !jit.list<!jit.tensor>
    }
    scf.yield %more : !jit.list<!jit.tensor>
  }
  %r = aten.stack %all, %zero : (!jit.list<!jit.tensor>, i64) -> !jit.tensor
  return %r : !jit.tensor
}
