// RUN: not jit-translate %s --to=pt2 --args='f32[n]' -o %t.pt2 2>&1 | FileCheck %s

// What is left of the first hundred is no expression that is looked for.
// CHECK: error: expected a size that follows from those of the arguments, got another for dimension 0; give the sizes of the arguments
func.func @forward(%x: !jit.tensor {jit.name = "x"}) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %end = arith.constant 100 : i64
  %none = jit.constant !jit.none = unit
  %z = aten.slice.Tensor %x, %zero, %none, %end, %one : (!jit.tensor, i64, !jit.none, i64, i64) -> !jit.tensor
  return %z : !jit.tensor
}
