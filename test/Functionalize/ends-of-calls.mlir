// RUN: jit-opt %s --jit-functionalize-tensors --split-input-file | FileCheck %s

// What is refused ends the calls that get to it, and no others.

!m = !jit.tensor<[2,2],f32>
!v = !jit.tensor<[3],f32>

// A way that has no other one.
// CHECK-LABEL: func.func @one_way(
// CHECK: scf.if
// CHECK: jit.guard %{{.*}}, "jit.Unsupported", "expected an out= tensor that has the sizes of the result
func.func @one_way(%x: !m, %v: !v, %c: i1) -> !m {
  %y = aten.relu %x : (!m) -> !m
  scf.if %c {
    %w = jit.overwrite %y, %v {jit.out} : (!m, !v) -> !m
  }
  return %y : !m
}

// With open sizes another function may serve the call.
// CHECK-LABEL: func.func @symbolic(
// CHECK: scf.if
// CHECK: jit.guard %{{.*}}, "jit.UnequalSizes", "expected an out= tensor that has the sizes of the result
func.func @symbolic(%x: !m, %v: !v, %c: i1) -> !m attributes {jit.symbolic} {
  %y = aten.relu %x : (!m) -> !m
  scf.if %c {
    %w = jit.overwrite %y, %v {jit.out} : (!m, !v) -> !m
  }
  return %y : !m
}

// The trips of a while loop are there for some calls alone.
// CHECK-LABEL: func.func @trip(
// CHECK: scf.while
// CHECK: jit.guard %{{.*}}, "jit.Unsupported", "expected an out= tensor that has the sizes of the result
func.func @trip(%x: !m, %v: !v, %c: i1) -> !m {
  %y = aten.relu %x : (!m) -> !m
  scf.while : () -> () {
    scf.condition(%c)
  } do {
    %w = jit.overwrite %y, %v {jit.out} : (!m, !v) -> !m
    scf.yield
  }
  return %y : !m
}

// An exception of the program's that all calls end with is not a refusal.
// CHECK-LABEL: func.func @raises(
// CHECK: jit.guard %false, "builtins.ValueError", "no"
// CHECK: return
func.func @raises(%x: !m, %v: !m) -> !m {
  %false = arith.constant false
  %y = aten.relu %x : (!m) -> !m
  %w = jit.overwrite %y, %v : (!m, !m) -> !m
  jit.guard %false, "builtins.ValueError", "no"
  return %y : !m
}

// -----

!y = !jit.tensor<[3],f32>
!a = !jit.tensor<[2,2],f32>

// One number may go to windows that overlap.
// CHECK-LABEL: func.func @one_number(
// CHECK: aten.scatter.src
func.func @one_number(%x: !y) -> !y {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %three = arith.constant 3.0 : f64
  %y = aten.relu %x : (!y) -> !y
  %s = aten.unfold %y, %zero, %two, %one : (!y, i64, i64, i64) -> !a
  %f = aten.fill.Scalar %s, %three : (!a, f64) -> !a
  %w = jit.overwrite %s, %f : (!a, !a) -> !a
  return %y : !y
}

// -----

!y = !jit.tensor<[?],f32>
!a = !jit.tensor<[?,2],f32>

// Windows side by side lie apart in any size.
// CHECK-LABEL: func.func @windows(
// CHECK-NOT: jit.guard
// CHECK: return
func.func @windows(%x: !y, %v: !a) -> !y {
  %zero = arith.constant 0 : i64
  %two = arith.constant 2 : i64
  %y = aten.relu %x : (!y) -> !y
  %s = aten.unfold %y, %zero, %two, %two : (!y, i64, i64, i64) -> !a
  %w = jit.overwrite %s, %v : (!a, !a) -> !a
  return %y : !y
}

// What one element is expanded to has as many names for it as there are, whatever the type says.
// CHECK-LABEL: func.func @expanded(
// CHECK: jit.guard
// CHECK: aten.scatter.src
func.func @expanded(%x: !y, %v: !y, %n: i64) -> !y {
  %false = arith.constant false
  %sizes = jit.list %n : (i64) -> !jit.list<i64>
  %y = aten.relu %x : (!y) -> !y
  %e = aten.expand %y, %sizes, %false : (!y, !jit.list<i64>, i1) -> !y
  %w = jit.overwrite %e, %v : (!y, !y) -> !y
  return %y : !y
}
