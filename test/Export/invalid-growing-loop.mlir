// RUN: not jit-translate %s --to=pt2 --args='f32[2],?int' -o %t.pt2 2>&1 | FileCheck %s

// CHECK: invalid-growing-loop.mlir:[[@LINE+6]]:8: error: expected a loop whose tensors keep their sizes and element types
func.func @forward(%x: !jit.tensor {jit.name = "x"}, %n: i64 {jit.name = "n"}) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  // The line of the loop is the user's where the file has one.
  // It grows in each trip.
  %y = scf.for %i = %zero to %n step %one iter_args(%s = %x) -> (!jit.tensor) : i64 {
    %both = jit.list %s, %s : (!jit.tensor, !jit.tensor) -> !jit.list<!jit.tensor>
    %a = aten.cat %both, %zero : (!jit.list<!jit.tensor>, i64) -> !jit.tensor
    scf.yield %a : !jit.tensor
  }
  return %y : !jit.tensor
}
