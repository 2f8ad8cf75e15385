// RUN: jit-opt %s --jit-explain --jit-specialize="args=f32[2],none" -o /dev/null 2>&1 | FileCheck %s

// The remarks name the lines of the program, and what the call settles.
// CHECK: model.py:1: specialize: argument 'bias' is None in this call
// CHECK: model.py:3: specialize: the condition is true in this call: the other branch is gone
func.func @forward(%x: !jit.tensor, %bias: !jit.optional<!jit.tensor> {jit.name = "bias"}) -> !jit.tensor {
  %none = jit.constant !jit.none = unit
  %one = arith.constant 1 : i64
  %is = aten.__is__ %bias, %none : (!jit.optional<!jit.tensor>, !jit.none) -> i1
  %y = scf.if %is -> !jit.tensor {
    scf.yield %x : !jit.tensor
  } else {
    %b = jit.unchecked_cast %bias : !jit.optional<!jit.tensor> to !jit.tensor
    %s = aten.add.Tensor %x, %b, %one : (!jit.tensor, !jit.tensor, i64) -> !jit.tensor
    scf.yield %s : !jit.tensor
  } loc("model.py":3:5)
  return %y : !jit.tensor
} loc("model.py":1:1)
