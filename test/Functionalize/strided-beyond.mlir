// RUN: jit-opt %s --jit-functionalize-tensors | FileCheck %s

// as_strided of a place that the memory does not have is an exception of the calls that get there. Where all calls do, Lower refuses it.
!m = !jit.tensor<[2,2],f32>
!r = !jit.tensor<[2],f32>
// CHECK-LABEL: func.func @forward
// CHECK: scf.if
// CHECK: %[[NEVER:.*]] = arith.constant false
// CHECK: jit.guard %[[NEVER]], "builtins.RuntimeError", "expected as_strided of at most 4 elements, got the element 4"
// CHECK: %[[NONE:.*]] = jit.poison
// CHECK: aten.relu %[[NONE]]
// CHECK: } else {
// CHECK: %[[P:.*]] = aten.as_strided
// CHECK: aten.tanh %[[P]]
// CHECK: }
// CHECK: aten.as_strided
func.func @forward(%x: !m, %c: i1) -> (!r, !r) {
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %sizes = jit.list %two : (i64) -> !jit.list<i64>
  %steps = jit.list %one : (i64) -> !jit.list<i64>
  %v = scf.if %c -> (!r) {
    %p = aten.as_strided %x, %sizes, %steps, %three : (!m, !jit.list<i64>, !jit.list<i64>, i64) -> !r
    %y = aten.relu %p : (!r) -> !r
    scf.yield %y : !r
  } else {
    %p = aten.as_strided %x, %sizes, %steps, %two : (!m, !jit.list<i64>, !jit.list<i64>, i64) -> !r
    %y = aten.tanh %p : (!r) -> !r
    scf.yield %y : !r
  }
  %q = aten.as_strided %x, %sizes, %steps, %three : (!m, !jit.list<i64>, !jit.list<i64>, i64) -> !r
  return %v, %q : !r, !r
}
