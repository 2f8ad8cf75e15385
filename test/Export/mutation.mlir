// RUN: jit-translate %s --to=pt2 --args='f32[3],f32[3]' -o %t.pt2 && jit-translate %t.pt2 | FileCheck %s

// What is written in place is a result of the graph, and written again by who reads it.
// CHECK: %[[SUM:.*]] = aten.add.Tensor %arg0, %arg1
// CHECK: jit.overwrite %arg0, %[[SUM]]
func.func @forward(%x: !jit.tensor {jit.name = "x"}, %y: !jit.tensor {jit.name = "y"}) -> !jit.tensor {
  %one = arith.constant 1 : i64
  %sum = aten.add.Tensor %x, %y, %one : (!jit.tensor, !jit.tensor, i64) -> !jit.tensor
  %w = jit.overwrite %x, %sum : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %y : !jit.tensor
}
