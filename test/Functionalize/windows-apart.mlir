// RUN: jit-opt %s --jit-functionalize-tensors --verify-diagnostics | FileCheck %s

// Windows that begin where the one before ends, or later, and what is expanded to its own size, have a place for each element also where
// strides are not known.
// CHECK-LABEL: func.func @forward
//   CHECK-NOT: jit.overwrite
//       CHECK: return
func.func @forward(%x: !jit.tensor<[4,6],f32>, %y: !jit.tensor<[6,4],f32>, %c: i1, %v: !jit.tensor<[6,2,2],f32>) -> !jit.tensor<[6,4],f32> {
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %four = arith.constant 4 : i64
  %six = arith.constant 6 : i64
  %false = arith.constant false
  %size = jit.list %six, %four : (i64, i64) -> !jit.list<i64>
  %n = aten.neg %x : (!jit.tensor<[4,6],f32>) -> !jit.tensor<[4,6],f32>
  %t = aten.t %n : (!jit.tensor<[4,6],f32>) -> !jit.tensor<[6,4],f32>
  %o = aten.neg %y : (!jit.tensor<[6,4],f32>) -> !jit.tensor<[6,4],f32>
  %r = scf.if %c -> (!jit.tensor<[6,4],f32>) {
    scf.yield %t : !jit.tensor<[6,4],f32>
  } else {
    scf.yield %o : !jit.tensor<[6,4],f32>
  }
  %e = aten.expand %r, %size, %false : (!jit.tensor<[6,4],f32>, !jit.list<i64>, i1) -> !jit.tensor<[6,4],f32>
  %u = aten.unfold %e, %one, %two, %two : (!jit.tensor<[6,4],f32>, i64, i64, i64) -> !jit.tensor<[6,2,2],f32>
  %w = jit.overwrite %u, %v : (!jit.tensor<[6,2,2],f32>, !jit.tensor<[6,2,2],f32>) -> !jit.tensor<[6,2,2],f32>
  return %r : !jit.tensor<[6,4],f32>
}
