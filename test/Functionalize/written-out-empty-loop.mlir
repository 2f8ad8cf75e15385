// RUN: jit-opt %s --jit-functionalize | FileCheck %s

// Whether the reshape copies hangs on which of two tensors it is given; a loop that has no operations, but hands its variables on,
// is written out for that as any other. A loop without trips gives what it begins with.
// CHECK-LABEL: func.func @forward
//  CHECK-SAME: (%[[X:.*]]: !jit.tensor<[4,6],f32>, %[[Y:.*]]: !jit.tensor<[6,4],f32>)
//   CHECK-NOT: scf.for
//       CHECK: %[[B:.*]] = aten.mul.Scalar %[[Y]]
//       CHECK: %[[FLAT:.*]] = aten.reshape %[[B]]
//       CHECK: aten.add.Scalar %[[FLAT]]
//   CHECK-NOT: scf.for
func.func @forward(%x: !jit.tensor<[4,6],f32>, %y: !jit.tensor<[6,4],f32>) -> !jit.tensor<[6,4],f32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c3 = arith.constant 3 : i64
  %m1 = arith.constant -1 : i64
  %flat = jit.list %m1 : (i64) -> !jit.list<i64>
  %one = aten.mul.Scalar %x, %c3 : (!jit.tensor<[4,6],f32>, i64) -> !jit.tensor<[4,6],f32>
  %a = aten.t %one : (!jit.tensor<[4,6],f32>) -> !jit.tensor<[6,4],f32>
  %b = aten.mul.Scalar %y, %c3 : (!jit.tensor<[6,4],f32>, i64) -> !jit.tensor<[6,4],f32>
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%d = %a, %e = %b) -> (!jit.tensor<[6,4],f32>, !jit.tensor<[6,4],f32>) : i64 {
    scf.yield %e, %d : !jit.tensor<[6,4],f32>, !jit.tensor<[6,4],f32>
  }
  %s:2 = scf.for %i = %c0 to %c0 step %c1 iter_args(%d = %r#0, %e = %r#1) -> (!jit.tensor<[6,4],f32>, !jit.tensor<[6,4],f32>) : i64 {
    scf.yield %e, %d : !jit.tensor<[6,4],f32>, !jit.tensor<[6,4],f32>
  }
  %v = aten.reshape %s#0, %flat : (!jit.tensor<[6,4],f32>, !jit.list<i64>) -> !jit.tensor<[24],f32>
  %n = aten.add.Scalar %v, %c1, %c1 : (!jit.tensor<[24],f32>, i64, i64) -> !jit.tensor<[24],f32>
  %w = jit.overwrite %v, %n : (!jit.tensor<[24],f32>, !jit.tensor<[24],f32>) -> !jit.tensor<[24],f32>
  return %s#0 : !jit.tensor<[6,4],f32>
}
