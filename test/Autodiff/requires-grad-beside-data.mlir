// RUN: jit-opt %s --jit-expand-gradients | FileCheck %s

// Beside what certainly requires a gradient it does not matter that data tell whether something else does: in a product on either side, in
// a list. Nor does it which one is taken of two that both do, by a condition or a place in a list. Random numbers do not.

!t = !jit.tensor<[2],f32>
// CHECK-LABEL: func.func @forward
// CHECK: return %{{true.*}}, %{{true.*}}, %{{true.*}}, %{{true.*}}, %{{true.*}}, %{{false.*}}
func.func @forward(%x: !t, %y: !t {jit.requires_grad}, %c: i1, %i: i64) -> (i1, i1, i1, i1, i1, i1) {
  %zero = arith.constant 0 : i64
  %two = arith.constant 2 : i64
  %single = arith.constant 6 : i64
  %none = jit.constant !jit.none = unit
  %b = scf.if %c -> !t {
    scf.yield %y : !t
  } else {
    scf.yield %x : !t
  }
  %left = aten.mul.Tensor %y, %b : (!t, !t) -> !t
  %right = aten.mul.Tensor %b, %y : (!t, !t) -> !t
  %list = jit.list %y, %b : (!t, !t) -> !jit.list<!t>
  %joined = aten.cat %list, %zero : (!jit.list<!t>, i64) -> !jit.tensor<[4],f32>
  %other = aten.sin %y : (!t) -> !t
  %one = arith.select %c, %y, %other : !t
  %both = jit.list %y, %other : (!t, !t) -> !jit.list<!t>
  %picked = aten.__getitem__.t %both, %i : (!jit.list<!t>, i64) -> !t
  %size = jit.list %two : (i64) -> !jit.list<i64>
  %noise = aten.rand.generator %size, %none, %single, %none, %none, %none : (!jit.list<i64>, !jit.none, i64, !jit.none, !jit.none, !jit.none) -> !t
  %0 = aten.requires_grad %left : (!t) -> i1
  %1 = aten.requires_grad %right : (!t) -> i1
  %2 = aten.requires_grad %joined : (!jit.tensor<[4],f32>) -> i1
  %3 = aten.requires_grad %one : (!t) -> i1
  %4 = aten.requires_grad %picked : (!t) -> i1
  %5 = aten.requires_grad %noise : (!t) -> i1
  return %0, %1, %2, %3, %4, %5 : i1, i1, i1, i1, i1, i1
}
