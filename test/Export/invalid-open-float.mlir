// RUN: not jit-translate %s --to=pt2 --args='f32[2],?float' -o %t.pt2 2>&1 | FileCheck %s

// CHECK: error: expected tensors and ints as open arguments, got a float for 'scale'; give its value
func.func @forward(%x: !jit.tensor {jit.name = "x"}, %scale: f64 {jit.name = "scale"}) -> !jit.tensor {
  %y = aten.mul.Scalar %x, %scale : (!jit.tensor, f64) -> !jit.tensor
  return %y : !jit.tensor
}
