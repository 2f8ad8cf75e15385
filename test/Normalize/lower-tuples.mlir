// RUN: jit-opt %s --jit-lower-tuples --canonicalize | FileCheck %s

!pair = !jit.tuple<!jit.tensor, i64>

// CHECK-LABEL: func.func @branch
// CHECK-SAME: (%[[C:.*]]: i1, %[[X:.*]]: !jit.tensor, %[[N:.*]]: i64)
func.func @branch(%c: i1, %x: !jit.tensor, %n: i64) -> !pair {
  // CHECK: %[[R:.*]] = scf.if %[[C]] -> (!jit.tensor)
  %r = scf.if %c -> !pair {
    %y = aten.relu %x : (!jit.tensor) -> !jit.tensor
    %t = jit.tuple %y, %n : (!jit.tensor, i64) -> !pair
    // CHECK: scf.yield %{{.*}} : !jit.tensor
    scf.yield %t : !pair
  } else {
    %y = aten.tanh %x : (!jit.tensor) -> !jit.tensor
    %t = jit.tuple %y, %n : (!jit.tensor, i64) -> !pair
    scf.yield %t : !pair
  }
  // The one result of a function keeps its type.
  // CHECK: %[[T:.*]] = jit.tuple %[[R]], %[[N]]
  // CHECK: return %[[T]]
  return %r : !pair
}

// CHECK-LABEL: func.func @loop
func.func @loop(%x: !jit.tensor, %n: i64) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %t = jit.tuple %x, %zero : (!jit.tensor, i64) -> !pair
  // CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (!jit.tensor, i64)
  %r = scf.for %i = %zero to %n step %one iter_args(%s = %t) -> !pair : i64 {
    // CHECK-NOT: jit.tuple
    %a, %k = jit.tuple_unpack %s : (!pair) -> (!jit.tensor, i64)
    %k2 = arith.addi %k, %i : i64
    %b = aten.add.Scalar %a, %k2, %one : (!jit.tensor, i64, i64) -> !jit.tensor
    %t2 = jit.tuple %b, %k2 : (!jit.tensor, i64) -> !pair
    scf.yield %t2 : !pair
  }
  %a = jit.tuple_index %r[0] : (!pair) -> !jit.tensor
  return %a : !jit.tensor
}

// The elements of a tuple that is not there are not there: what a loop returns before it has returned.
// CHECK-LABEL: func.func @missing
// CHECK-NOT: jit.tuple_unpack
// CHECK: %[[X:.*]] = jit.poison : !jit.tensor
// CHECK: %[[N:.*]] = jit.poison : i64
// CHECK: return %[[X]], %[[N]]
func.func @missing() -> (!jit.tensor, i64) {
  %t = jit.poison : !pair
  %x, %n = jit.tuple_unpack %t : (!pair) -> (!jit.tensor, i64)
  return %x, %n : !jit.tensor, i64
}
