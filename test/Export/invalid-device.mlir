// RUN: not jit-translate %s --to=pt2 --args='f32[2]@cuda:0' -o %t.pt2 2>&1 | FileCheck %s

// CHECK: error: expected tensors on 'cpu', got 'x' on 'cuda:0'
func.func @forward(%x: !jit.tensor {jit.name = "x"}) -> !jit.tensor {
  return %x : !jit.tensor
}
