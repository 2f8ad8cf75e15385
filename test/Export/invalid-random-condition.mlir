// RUN: not jit-translate %s --to=pt2 --args='f32[2]' -o %t.pt2 2>&1 | FileCheck %s

// The condition of a loop is written twice: what it draws would be two numbers.
// CHECK: error: expected a loop whose condition draws no random numbers and checks nothing
func.func @forward(%x: !jit.tensor {jit.name = "x"}) -> !jit.tensor {
  %none = jit.constant !jit.none = unit
  %half = arith.constant 0.5 : f64
  %sizes = jit.list : () -> !jit.list<i64>
  %y = scf.while (%s = %x) : (!jit.tensor) -> !jit.tensor {
    %r = aten.rand.generator %sizes, %half, %none, %none, %none, %none : (!jit.list<i64>, f64, !jit.none, !jit.none, !jit.none, !jit.none) -> !jit.tensor
    %more = aten.gt.Scalar %r, %half : (!jit.tensor, f64) -> !jit.tensor
    %go = aten.Bool.Tensor %more : (!jit.tensor) -> i1
    scf.condition(%go) %s : !jit.tensor
  } do {
  ^bb0(%t: !jit.tensor):
    %u = aten.sin %t : (!jit.tensor) -> !jit.tensor
    scf.yield %u : !jit.tensor
  }
  return %y : !jit.tensor
}
