// RUN: jit-opt %s --jit-specialize="args=f32[2,3]" --canonicalize | FileCheck %s

// The two ways of a branch on data give a tensor of one rank or of another: what follows is evaluated in each, and
// the call returns one of two results.
// CHECK-LABEL: func.func @forward
// CHECK-SAME: (%[[X:.*]]: !jit.tensor<[2,3],f32> {{.*}}) -> (i1, !jit.tensor<[3],f32>, !jit.tensor<[2,3],f32>, i64)
// CHECK-SAME: jit.outputs = [{value = ["either", 0, 1, 2]}, {value = 3 : i64}]
// CHECK: %[[RANK:.*]] = arith.select %[[C:.*]], %c1_i64, %c2_i64
// CHECK: %[[Y:.*]]:2 = scf.if %[[C]]
// CHECK:   %[[ROW:.*]] = aten.select.int %[[X]]
// CHECK:   %[[A:.*]] = aten.relu %[[ROW]]
// CHECK:   %[[NONE:.*]] = jit.poison : !jit.tensor<[2,3],f32>
// CHECK:   scf.yield %[[A]], %[[NONE]]
// CHECK: } else {
// CHECK:   %[[B:.*]] = aten.relu %[[X]]
// CHECK: return %[[C]], %[[Y]]#0, %[[Y]]#1, %[[RANK]]
func.func @forward(%x: !jit.tensor) -> (!jit.tensor, i64) {
  %zero = arith.constant 0 : i64
  %none = jit.constant !jit.none = unit
  %sum = aten.sum %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %c = aten.Bool.Tensor %sum : (!jit.tensor) -> i1
  %y = scf.if %c -> !jit.tensor {
    %row = aten.select.int %x, %zero, %zero : (!jit.tensor, i64, i64) -> !jit.tensor
    scf.yield %row : !jit.tensor
  } else {
    scf.yield %x : !jit.tensor
  }
  %rank = aten.dim %y : (!jit.tensor) -> i64
  %z = aten.relu %y : (!jit.tensor) -> !jit.tensor
  return %z, %rank : !jit.tensor, i64
}
