// RUN: jit-opt %s --jit-lower-exceptions --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @check
// CHECK-SAME: (%[[BAD:.*]]: i1, %[[N:.*]]: i64, %[[X:.*]]: !jit.tensor)
func.func @check(%bad: i1, %n: i64, %x: !jit.tensor) -> !jit.tensor {
  // CHECK: %[[OK:.*]] = arith.xori %[[BAD]], %true
  // CHECK: jit.guard %[[OK]], "builtins.ValueError", "expected {{[{][{][}][}]}} of [1, {}], got {} {}"(%c2_i64, %[[N]], %[[N]] : i64, i64, i64)
  // CHECK-NOT: scf.if
  %r = scf.if %bad -> !jit.tensor {
    %text = jit.constant !jit.str = "expected {} of [1, {}], got {}"
    %braces = jit.constant !jit.str = "{}"
    %two = arith.constant 2 : i64
    %inner = jit.constant !jit.str = "{} {}"
    %numbers = jit.format %inner(%n, %n : i64, i64)
    %message = jit.format %text(%braces, %two, %numbers : !jit.str, i64, !jit.str)
    jit.raise %message, "builtins.ValueError"
    %u = jit.poison : !jit.tensor
    scf.yield %u : !jit.tensor
  } else {
    // CHECK: %[[Y:.*]] = aten.relu %[[X]]
    %y = aten.relu %x : (!jit.tensor) -> !jit.tensor
    scf.yield %y : !jit.tensor
  }
  // CHECK: return %[[Y]]
  return %r : !jit.tensor
}

// What computes the message is run on the raising way alone; lists are formatted by their elements.
// CHECK-LABEL: func.func @sizes
func.func @sizes(%good: i1, %x: !jit.tensor) {
  scf.if %good {
  } else {
    // CHECK: scf.if
    // CHECK-NEXT: %[[S:.*]] = aten.size.int
    // CHECK-NEXT: jit.guard %false, "builtins.ValueError", "got [{}, {}]"(%[[S]], %c7_i64 : i64, i64)
    %text = jit.constant !jit.str = "got {}"
    %zero = arith.constant 0 : i64
    %seven = arith.constant 7 : i64
    %s = aten.size.int %x, %zero : (!jit.tensor, i64) -> i64
    %list = jit.list %s, %seven : (i64, i64) -> !jit.list<i64>
    %message = jit.format %text(%list : !jit.list<i64>)
    jit.raise %message, "builtins.ValueError"
  }
  return
}

// Nothing follows an exception that is raised for certain.
// CHECK-LABEL: func.func @always
func.func @always(%c: i1, %x: !jit.tensor) -> !jit.tensor {
  // CHECK: scf.if
  // CHECK: jit.guard %false, "builtins.TypeError", "a"
  // CHECK: else
  // CHECK: jit.guard %false, "builtins.TypeError", "b"
  %a = jit.constant !jit.str = "a"
  %b = jit.constant !jit.str = "b"
  scf.if %c {
    jit.raise %a, "builtins.TypeError"
  } else {
    jit.raise %b, "builtins.TypeError"
  }
  // CHECK-NOT: aten.relu
  // CHECK: %[[U:.*]] = jit.poison : !jit.tensor
  // CHECK: return %[[U]]
  %y = aten.relu %x : (!jit.tensor) -> !jit.tensor
  return %y : !jit.tensor
}
