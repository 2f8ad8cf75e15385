// RUN: jit-opt %s --jit-functionalize-tensors --canonicalize --cse | FileCheck %s

// Two results of a branch are parts of what one of its arms makes: the branch gives that, too, and both are names of parts of it.
// What is written through one of them is seen through the other.
// CHECK-LABEL: func.func @forward
//       CHECK: %[[R:.*]]:3 = scf.if %{{.*}} -> (!jit.tensor<[3],f32>, !jit.tensor<[3],f32>, !jit.tensor<[3,3],f32>)
//       CHECK:   %[[NEW:.*]] = aten.neg
//       CHECK:   scf.yield %{{.*}}, %{{.*}}, %[[NEW]]
//       CHECK:   scf.yield %{{.*}}, %{{.*}}, %{{.*}}
//       CHECK: %[[ADDED:.*]] = aten.add.Scalar %[[R]]#0
//       CHECK: %[[SEEN:.*]] = scf.if %{{.*}} -> (!jit.tensor<[3],f32>) {
//       CHECK:   %[[NOW:.*]] = aten.select_scatter %[[R]]#2, %[[ADDED]]
//       CHECK:   aten.diagonal %[[NOW]]
//       CHECK: return %[[ADDED]], %[[SEEN]]
func.func @forward(%x: !jit.tensor<[3,3],f32>, %c: i1) -> (!jit.tensor<[3],f32>, !jit.tensor<[3],f32>) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r:2 = scf.if %c -> (!jit.tensor<[3],f32>, !jit.tensor<[3],f32>) {
    %n = aten.neg %x : (!jit.tensor<[3,3],f32>) -> !jit.tensor<[3,3],f32>
    %row = aten.select.int %n, %zero, %one : (!jit.tensor<[3,3],f32>, i64, i64) -> !jit.tensor<[3],f32>
    %diagonal = aten.diagonal %n, %zero, %zero, %one : (!jit.tensor<[3,3],f32>, i64, i64, i64) -> !jit.tensor<[3],f32>
    scf.yield %row, %diagonal : !jit.tensor<[3],f32>, !jit.tensor<[3],f32>
  } else {
    %n = aten.exp %x : (!jit.tensor<[3,3],f32>) -> !jit.tensor<[3,3],f32>
    %row = aten.select.int %n, %zero, %zero : (!jit.tensor<[3,3],f32>, i64, i64) -> !jit.tensor<[3],f32>
    %other = aten.sin %row : (!jit.tensor<[3],f32>) -> !jit.tensor<[3],f32>
    scf.yield %row, %other : !jit.tensor<[3],f32>, !jit.tensor<[3],f32>
  }
  %a = aten.add.Scalar %r#0, %one, %one : (!jit.tensor<[3],f32>, i64, i64) -> !jit.tensor<[3],f32>
  %w = jit.overwrite %r#0, %a : (!jit.tensor<[3],f32>, !jit.tensor<[3],f32>) -> !jit.tensor<[3],f32>
  return %r#0, %r#1 : !jit.tensor<[3],f32>, !jit.tensor<[3],f32>
}
