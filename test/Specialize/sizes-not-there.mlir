// RUN: jit-opt %s --jit-specialize="args=f32[],f32[]" --canonicalize | FileCheck %s

// A size, or a part, that the tensor does not have is an exception of the calls that get there: in branches and in trips
// of which only data tell whether they are run.
// CHECK-LABEL: func.func @forward
// CHECK: scf.if
// CHECK:   jit.guard %false, "builtins.RuntimeError", "expected a tensor with at least one dimension"
// CHECK: scf.for
// CHECK:   jit.guard %false, "builtins.RuntimeError", "expected a tensor with at least one dimension"
func.func @forward(%x: !jit.tensor, %n: !jit.tensor) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %c = aten.Bool.Tensor %x : (!jit.tensor) -> i1
  %r = scf.if %c -> !jit.tensor {
    %size = aten.size.int %x, %one : (!jit.tensor, i64) -> i64
    %y = aten.add.Scalar %x, %size, %one : (!jit.tensor, i64, i64) -> !jit.tensor
    scf.yield %y : !jit.tensor
  } else {
    scf.yield %x : !jit.tensor
  }
  %trips = aten.Int.Tensor %n : (!jit.tensor) -> i64
  %s = scf.for %i = %zero to %trips step %one iter_args(%t = %r) -> !jit.tensor : i64 {
    %part = aten.select.int %t, %zero, %i : (!jit.tensor, i64, i64) -> !jit.tensor
    %sum = aten.add.Tensor %t, %part, %one : (!jit.tensor, !jit.tensor, i64) -> !jit.tensor
    scf.yield %sum : !jit.tensor
  }
  return %s : !jit.tensor
}
