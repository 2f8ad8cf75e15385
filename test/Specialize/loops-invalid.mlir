// RUN: jit-opt %s --jit-specialize="args=f32[5,4],?int" --split-input-file --verify-diagnostics

// Tensors that differ in two sizes are parts of no one tensor.

func.func @forward(%x: !jit.tensor, %n: i64) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %none = jit.constant !jit.none = unit
  %start = jit.list : () -> !jit.list<!jit.tensor>
  // expected-error @below {{expected the tensors of a list that changes in a loop to be of one element type and to differ in one size at most}}
  %all = scf.for %i = %zero to %n step %one iter_args(%list = %start) -> (!jit.list<!jit.tensor>) : i64 {
    %rows = aten.slice.Tensor %x, %zero, %i, %none, %one : (!jit.tensor, i64, i64, !jit.none, i64) -> !jit.tensor
    %part = aten.slice.Tensor %rows, %one, %i, %none, %one : (!jit.tensor, i64, i64, !jit.none, i64) -> !jit.tensor
    %longer = jit.list_append %list, %part : (!jit.list<!jit.tensor>, !jit.tensor) -> !jit.list<!jit.tensor>
    scf.yield %longer : !jit.list<!jit.tensor>
  }
  %r = aten.__getitem__.t %all, %zero : (!jit.list<!jit.tensor>, i64) -> !jit.tensor
  return %r : !jit.tensor
}

// -----

// Numbers are no tensors.

func.func @forward(%x: !jit.tensor, %n: i64) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %many = arith.constant 20000 : i64
  %start = jit.list : () -> !jit.list<i64>
  // expected-error @below {{expected a list in a loop to grow by one tensor of constant size per trip}}
  %all = scf.for %i = %zero to %many step %one iter_args(%list = %start) -> (!jit.list<i64>) : i64 {
    %k = arith.muli %i, %n : i64
    %longer = jit.list_append %list, %k : (!jit.list<i64>, i64) -> !jit.list<i64>
    scf.yield %longer : !jit.list<i64>
  }
  %r = aten.permute %x, %all : (!jit.tensor, !jit.list<i64>) -> !jit.tensor
  return %r : !jit.tensor
}

// -----

// What was appended is written later on.

func.func @forward(%x: !jit.tensor, %n: i64) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %many = arith.constant 20000 : i64
  %start = jit.list : () -> !jit.list<!jit.tensor>
  // expected-error @below {{expected tensors that are not written after they were appended to a list}}
  %all = scf.for %i = %zero to %many step %one iter_args(%list = %start) -> (!jit.list<!jit.tensor>) : i64 {
    %row = aten.mul.Scalar %x, %i : (!jit.tensor, i64) -> !jit.tensor
    %longer = jit.list_append %list, %row : (!jit.list<!jit.tensor>, !jit.tensor) -> !jit.list<!jit.tensor>
    %w = jit.overwrite %row, %x : (!jit.tensor, !jit.tensor) -> !jit.tensor
    scf.yield %longer : !jit.list<!jit.tensor>
  }
  %r = aten.stack %all, %zero : (!jit.list<!jit.tensor>, i64) -> !jit.tensor
  return %r : !jit.tensor
}
