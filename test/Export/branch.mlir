// RUN: jit-translate %s --to=pt2 --args='f32[n],?int' -o %t.pt2 && jit-translate %t.pt2 | FileCheck %s

// A branch on data is an operator that takes two graphs. The number that they use is in a tensor on the way.
// CHECK: %[[N:.*]] = aten.scalar_tensor %arg1
// CHECK: scf.if
// CHECK: aten.Int.Tensor %[[N]]
// CHECK: aten.mul.Scalar
// CHECK: } else {
// CHECK: aten.neg
func.func @forward(%x: !jit.tensor {jit.name = "x"}, %n: i64 {jit.name = "n"}) -> !jit.tensor {
  %none = jit.constant !jit.none = unit
  %sum = aten.sum %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %positive = aten.Bool.Tensor %sum : (!jit.tensor) -> i1
  %y = scf.if %positive -> !jit.tensor {
    %a = aten.mul.Scalar %x, %n : (!jit.tensor, i64) -> !jit.tensor
    scf.yield %a : !jit.tensor
  } else {
    %b = aten.neg %x : (!jit.tensor) -> !jit.tensor
    scf.yield %b : !jit.tensor
  }
  return %y : !jit.tensor
}
