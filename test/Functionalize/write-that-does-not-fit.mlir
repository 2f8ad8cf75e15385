// RUN: jit-opt %s --jit-functionalize-tensors | FileCheck %s

// A write whose value does not fit is an exception of the calls that get to it, and not an error of those that do not.
// CHECK-LABEL: func.func @forward
//       CHECK: scf.if
//       CHECK:   jit.guard %{{.*}}, "builtins.RuntimeError", "expected a value that has or broadcasts to the sizes of what is written
//       CHECK: } else {
//       CHECK:   aten.add.Scalar
!m = !jit.tensor<[2,2],f32>
func.func @forward(%x: !m, %v: !jit.tensor<[3],f32>, %c: i1) -> !m {
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!m) -> !m
  scf.if %c {
    %w = jit.overwrite %y, %v : (!m, !jit.tensor<[3],f32>) -> !m
  } else {
    %a = aten.add.Scalar %y, %one, %one : (!m, i64, i64) -> !m
    %w = jit.overwrite %y, %a : (!m, !m) -> !m
  }
  return %y : !m
}
