// RUN: not jit-translate %s --to=pt2 --args='f32[2]' -o %t.pt2 2>&1 | FileCheck %s

// What PyTorch has no operator for is named.
// CHECK: error: expected an operator of PyTorch's, got aten::_largest
func.func @forward(%x: !jit.tensor {jit.name = "x"}) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %keep = arith.constant false
  %dims = jit.list %zero : (i64) -> !jit.list<i64>
  %y = aten._largest %x, %dims, %keep : (!jit.tensor, !jit.list<i64>, i1) -> !jit.tensor
  return %y : !jit.tensor
}
