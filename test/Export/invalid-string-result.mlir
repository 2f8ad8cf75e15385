// RUN: not jit-translate %s --to=pt2 --args='f32[2]' -o %t.pt2 2>&1 | FileCheck %s

// CHECK: error: expected a result of tensors, ints, floats, bools and None in tuples, lists and dicts, got a string
func.func @forward(%x: !jit.tensor {jit.name = "x"}) -> !jit.str {
  %text = jit.constant !jit.str = "text"
  return %text : !jit.str
}
