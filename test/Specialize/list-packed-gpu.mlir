// RUN: jit-opt %s --jit-specialize="args=f32[2,4]" | FileCheck %s --check-prefix=CPU
// RUN: jit-opt %s --jit-specialize="args=f32[2,4] data-squeeze=false" | FileCheck %s --check-prefix=GPU

// A branch of a loop that is written out: packed for CPUs, for GPUs each way has what follows.

// CPU-LABEL: func.func @forward
// CPU:   scf.if {{.*}} -> (!jit.tensor<[?,4],f32>)
// CPU:   scf.if {{.*}} -> (!jit.tensor<[?,4],f32>)
// CPU:   aten.clone
// GPU-LABEL: func.func @forward
// GPU:   scf.if
// GPU:     scf.if
// GPU:       aten.stack
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %none = jit.constant !jit.none = unit
  %first = aten.select.int %x, %zero, %zero : (!jit.tensor, i64, i64) -> !jit.tensor
  %start = jit.list %first : (!jit.tensor) -> !jit.list<!jit.tensor>
  %all = scf.for %i = %zero to %two step %one iter_args(%list = %start) -> (!jit.list<!jit.tensor>) : i64 {
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
