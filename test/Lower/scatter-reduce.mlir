// RUN: jit-opt %s --jit-lower | FileCheck %s

// Without the tensor's own elements, those that are touched start from what changes nothing.
// CHECK-LABEL: func.func @largest(
//       CHECK: %[[LOW:.*]] = arith.constant 0xFF800000 : f32
//       CHECK: tensor.insert %[[LOW]]
//       CHECK: scf.for
//       CHECK: arith.maximumf
func.func @largest(%a: !jit.tensor<[4],f32>, %i: !jit.tensor<[6],i64>, %s: !jit.tensor<[6],f32>) -> !jit.tensor<[4],f32> {
  %dim = arith.constant 0 : i64
  %own = arith.constant false
  %how = jit.constant !jit.str = "amax"
  %r = aten.scatter_reduce.two %a, %dim, %i, %s, %how, %own : (!jit.tensor<[4],f32>, i64, !jit.tensor<[6],i64>, !jit.tensor<[6],f32>, !jit.str, i1) -> !jit.tensor<[4],f32>
  return %r : !jit.tensor<[4],f32>
}

// A mean of integers is rounded down.
// CHECK-LABEL: func.func @mean(
//       CHECK: arith.addi
//       CHECK: linalg.generic
//       CHECK: arith.floordivsi
func.func @mean(%a: !jit.tensor<[4],i64>, %i: !jit.tensor<[6],i64>, %s: !jit.tensor<[6],i64>) -> !jit.tensor<[4],i64> {
  %dim = arith.constant 0 : i64
  %own = arith.constant true
  %how = jit.constant !jit.str = "mean"
  %r = aten.scatter_reduce.two %a, %dim, %i, %s, %how, %own : (!jit.tensor<[4],i64>, i64, !jit.tensor<[6],i64>, !jit.tensor<[6],i64>, !jit.str, i1) -> !jit.tensor<[4],i64>
  return %r : !jit.tensor<[4],i64>
}
