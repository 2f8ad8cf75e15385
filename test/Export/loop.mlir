// RUN: jit-translate %s --to=pt2 --args='f32[n],?int' -o %t.pt2 && jit-translate %t.pt2 | FileCheck %s

// A loop of unknown length is a while_loop, which carries the number of the trip.
// CHECK: scf.while
// CHECK: aten.lt
// CHECK: scf.condition
// CHECK: aten.sin
func.func @forward(%x: !jit.tensor {jit.name = "x"}, %n: i64 {jit.name = "n"}) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = scf.for %i = %zero to %n step %one iter_args(%s = %x) -> (!jit.tensor) : i64 {
    %a = aten.sin %s : (!jit.tensor) -> !jit.tensor
    scf.yield %a : !jit.tensor
  }
  return %y : !jit.tensor
}
