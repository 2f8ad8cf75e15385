// RUN: jit-opt %s --jit-specialize="args=f32[2,3,5]" --canonicalize | FileCheck %s

// A loop over sizes is gone before run time: x * (2 * 3 * 5).
// CHECK-LABEL: func.func @forward
//   CHECK-NOT: scf.for
//       CHECK: %[[C:.*]] = arith.constant 30 : i64
//       CHECK: aten.mul.Scalar %arg0, %[[C]]
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %sizes = aten.size %x : (!jit.tensor) -> !jit.list<i64>
  %rank = aten.len.t %sizes : (!jit.list<i64>) -> i64
  %count = scf.for %i = %zero to %rank step %one iter_args(%product = %one) -> (i64) : i64 {
    %size = aten.__getitem__.t %sizes, %i : (!jit.list<i64>, i64) -> i64
    %next = arith.muli %product, %size : i64
    scf.yield %next : i64
  }
  %y = aten.mul.Scalar %x, %count : (!jit.tensor, i64) -> !jit.tensor
  return %y : !jit.tensor
}
