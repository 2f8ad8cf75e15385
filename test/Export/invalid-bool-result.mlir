// RUN: not jit-translate %s --to=pt2 --args='f32[]' -o %t.pt2 2>&1 | FileCheck %s

// CHECK: error: expected tensors, ints and floats as results of data, got a bool, which PyTorch does not read; return a tensor
func.func @forward(%x: !jit.tensor {jit.name = "x"}) -> i1 {
  %y = aten.Bool.Tensor %x : (!jit.tensor) -> i1
  return %y : i1
}
