// RUN: jit-opt %s --jit-functionalize-tensors | FileCheck %s

// Of a variable that each trip makes a view of what it was, whose elements have no places (carried-places-invalid.mlir): where data choose whether a call gets to the write, those that do end there.
// CHECK-LABEL: func.func @forward
// CHECK: scf.if
// CHECK: jit.guard %{{.*}}, "jit.Unsupported", "expected to know which memory is written in place
// CHECK-NOT: jit.overwrite
!m = !jit.tensor<[2,2],complex<f32>>
func.func @forward(%x: !m, %v: !m, %n: i64, %c: i1) -> (!m, !m) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.neg %x : (!m) -> !m
  %r = scf.for %i = %zero to %n step %one iter_args(%t = %y) -> !m : i64 {
    scf.if %c {
      %w = jit.overwrite %t, %v : (!m, !m) -> !m
    }
    %u = aten.t %t : (!m) -> !m
    scf.yield %u : !m
  }
  return %r, %y : !m, !m
}
