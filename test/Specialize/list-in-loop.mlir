// RUN: jit-opt %s --jit-specialize="args=f32[5,4]" --canonicalize | FileCheck %s

// A list that each trip appends one tensor to becomes a tensor that each trip fills one slice of; the
// loop stays a loop.
// CHECK-LABEL: func.func @forward
// CHECK: %[[EMPTY:.*]] = aten.empty.memory_format {{.*}} -> !jit.tensor<[5,4],f32>
// CHECK: %[[FULL:.*]] = scf.for %[[I:.*]] = {{.*}} iter_args(%[[ACC:.*]] = %[[EMPTY]]) -> (!jit.tensor<[5,4],f32>)
// CHECK:   aten.select_scatter %[[ACC]], %{{.*}}, %{{.*}}, %[[I]]
// CHECK: %[[LIST:.*]] = jit.list_from_tensor %[[FULL]]
// CHECK: aten.stack %[[LIST]], {{.*}} -> !jit.tensor<[5,4],f32>
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
  %r = aten.stack %all, %zero : (!jit.list<!jit.tensor>, i64) -> !jit.tensor
  return %r : !jit.tensor
}
