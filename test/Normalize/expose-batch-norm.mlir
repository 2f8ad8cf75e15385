// RUN: jit-opt %s --jit-expose-batch-norm | FileCheck %s

// CHECK-LABEL: func.func @training
//       CHECK: %result, %{{.*}}, %{{.*}}, %running_mean_out, %running_var_out = aten._native_batch_norm_legit_functional %arg0, %arg1, %arg1, %arg2, %arg3
//       CHECK: jit.overwrite %arg2, %running_mean_out
//       CHECK: jit.overwrite %arg3, %running_var_out
//       CHECK: return %result
func.func @training(%x: !jit.tensor, %w: !jit.tensor, %mean: !jit.tensor, %var: !jit.tensor) -> !jit.tensor {
  %true = arith.constant true
  %momentum = arith.constant 1.000000e-01 : f64
  %eps = arith.constant 1.000000e-05 : f64
  %0 = aten.batch_norm %x, %w, %w, %mean, %var, %true, %momentum, %eps, %true
      : (!jit.tensor, !jit.tensor, !jit.tensor, !jit.tensor, !jit.tensor, i1, f64, f64, i1) -> !jit.tensor
  return %0 : !jit.tensor
}

// CHECK-LABEL: func.func @evaluation
//   CHECK-NOT: jit.overwrite
//       CHECK: aten.batch_norm
func.func @evaluation(%x: !jit.tensor, %w: !jit.tensor, %mean: !jit.tensor, %var: !jit.tensor) -> !jit.tensor {
  %true = arith.constant true
  %false = arith.constant false
  %momentum = arith.constant 1.000000e-01 : f64
  %eps = arith.constant 1.000000e-05 : f64
  %0 = aten.batch_norm %x, %w, %w, %mean, %var, %false, %momentum, %eps, %true
      : (!jit.tensor, !jit.tensor, !jit.tensor, !jit.tensor, !jit.tensor, i1, f64, f64, i1) -> !jit.tensor
  return %0 : !jit.tensor
}
