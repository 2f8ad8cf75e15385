// RUN: jit-opt %s --jit-specialize="args=f32[2,3]" --canonicalize | FileCheck %s

// An out= tensor of other sizes takes those of the result and new memory, under its own element type and by all its names.
// CHECK-LABEL: func.func @forward
// CHECK: %[[E:.*]] = aten.exp %arg0
// CHECK: %[[W:.*]] = aten.to.dtype %[[E]]
// CHECK-NOT: jit.overwrite
// CHECK: return %[[W]], %[[W]]
func.func @forward(%x: !jit.tensor) -> (!jit.tensor, !jit.list<!jit.tensor>) {
  %none = jit.constant !jit.none = unit
  %zero = arith.constant 0 : i64
  %double = arith.constant 7 : i64
  %sizes = jit.list %zero : (i64) -> !jit.list<i64>
  %t = aten.empty.memory_format %sizes, %double, %none, %none, %none, %none : (!jit.list<i64>, i64, !jit.none, !jit.none, !jit.none, !jit.none) -> !jit.tensor
  %l = jit.list %t : (!jit.tensor) -> !jit.list<!jit.tensor>
  %e = aten.exp %x : (!jit.tensor) -> !jit.tensor
  %w = jit.overwrite %t, %e {jit.out} : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %w, %l : !jit.tensor, !jit.list<!jit.tensor>
}
