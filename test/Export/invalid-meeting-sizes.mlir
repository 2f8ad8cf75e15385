// RUN: not jit-translate %s --to=pt2 --args='f32[n],f32[m]' -o %t.pt2 2>&1 | FileCheck %s

// Sizes that have to be equal are to have one name.
// CHECK: error: expected a program for any sizes; give the arguments' sizes, for with some:
func.func @forward(%x: !jit.tensor {jit.name = "x"}, %y: !jit.tensor {jit.name = "y"}) -> !jit.tensor {
  %one = arith.constant 1 : i64
  %z = aten.add.Tensor %x, %y, %one : (!jit.tensor, !jit.tensor, i64) -> !jit.tensor
  return %z : !jit.tensor
}
