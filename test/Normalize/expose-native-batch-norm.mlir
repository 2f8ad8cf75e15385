// RUN: jit-opt %s --jit-expose-batch-norm | FileCheck %s

// Operators that give the statistics as well write the running ones as batch_norm does.

// CHECK-LABEL: func.func @native
//       CHECK: %result, %save_mean, %save_invstd, %running_mean_out, %running_var_out = aten._native_batch_norm_legit_functional
//       CHECK: jit.overwrite %arg1, %running_mean_out
//       CHECK: jit.overwrite %arg2, %running_var_out
//       CHECK: return %result, %save_mean
func.func @native(%x: !jit.tensor, %mean: !jit.tensor, %var: !jit.tensor) -> (!jit.tensor, !jit.tensor) {
  %none = jit.constant !jit.none = unit
  %true = arith.constant true
  %number = arith.constant 1.000000e-01 : f64
  %0:3 = aten.native_batch_norm %x, %none, %none, %mean, %var, %true, %number, %number
      : (!jit.tensor, !jit.none, !jit.none, !jit.tensor, !jit.tensor, i1, f64, f64) -> (!jit.tensor, !jit.tensor, !jit.tensor)
  return %0#0, %0#1 : !jit.tensor, !jit.tensor
}

// CHECK-LABEL: func.func @always
//       CHECK: aten._native_batch_norm_legit_functional
//       CHECK: jit.overwrite %arg1
//       CHECK: jit.overwrite %arg2
//       CHECK: aten.zeros
func.func @always(%x: !jit.tensor, %mean: !jit.tensor, %var: !jit.tensor) -> (!jit.tensor, !jit.tensor) {
  %none = jit.constant !jit.none = unit
  %number = arith.constant 1.000000e-01 : f64
  %0:4 = aten._batch_norm_with_update %x, %none, %none, %mean, %var, %number, %number
      : (!jit.tensor, !jit.none, !jit.none, !jit.tensor, !jit.tensor, f64, f64) -> (!jit.tensor, !jit.tensor, !jit.tensor, !jit.tensor)
  return %0#0, %0#3 : !jit.tensor, !jit.tensor
}

// CHECK-LABEL: func.func @evaluation
//   CHECK-NOT: jit.overwrite
//       CHECK: aten._native_batch_norm_legit %
func.func @evaluation(%x: !jit.tensor, %mean: !jit.tensor, %var: !jit.tensor) -> !jit.tensor {
  %none = jit.constant !jit.none = unit
  %false = arith.constant false
  %number = arith.constant 1.000000e-01 : f64
  %0:3 = aten._native_batch_norm_legit %x, %none, %none, %mean, %var, %false, %number, %number
      : (!jit.tensor, !jit.none, !jit.none, !jit.tensor, !jit.tensor, i1, f64, f64) -> (!jit.tensor, !jit.tensor, !jit.tensor)
  return %0#0 : !jit.tensor
}
