// RUN: jit-opt %s --jit-functionalize-tensors --canonicalize --cse | FileCheck %s

!q = !jit.tensor<[2,2],f32>

// Where trips are written out, numbers are folded. One that is only turned round, its constant last, stays.
// CHECK-LABEL: func.func @loop
// CHECK-SAME: (%[[X:.*]]: !jit.tensor<[2,2],f32>, %[[N:.*]]: i64)
// CHECK-NOT: scf.for
// CHECK: %[[MORE:.*]] = arith.addi %[[N]], %c3_i64
// CHECK: return %{{.*}}, %{{.*}}, %[[MORE]]
func.func @loop(%x: !q, %n: i64) -> (!q, !q, i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %three = arith.constant 3 : i64
  %more = arith.addi %three, %n : i64
  %y = aten.mul.Scalar %x, %more : (!q, i64) -> !q
  %r = scf.for %i = %zero to %three step %one iter_args(%t = %y) -> !q : i64 {
    %v = aten.mul.Scalar %x, %i : (!q, i64) -> !q
    %w = jit.overwrite %t, %v : (!q, !q) -> !q
    %d = aten.t %t : (!q) -> !q
    scf.yield %d : !q
  }
  return %r, %y, %more : !q, !q, i64
}
