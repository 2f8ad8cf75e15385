// RUN: jit-diff %s --input='f32[3]:grad' --grad | FileCheck %s --check-prefix=EQUAL
// RUN: not jit-diff %s --input='f32[3]:grad' --grad --seed-fault="after=fuse kind=negate op=aten.cos" | FileCheck %s --check-prefix=WRONG

// The backward pass is a part of the program; its operators have the lines of the forward ones.

// EQUAL: equal:
// WRONG: model.py:2: aten.cos is wrong
func.func @forward(%x: !jit.tensor<[3],f32>) -> !jit.tensor<[3],f32> {
  %y = aten.sin %x : (!jit.tensor<[3],f32>) -> !jit.tensor<[3],f32> loc("model.py":2:5)
  return %y : !jit.tensor<[3],f32>
}
