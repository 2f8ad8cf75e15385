// RUN: jit-opt %s --jit-specialize="args=f32[2,3],?bool" --canonicalize | FileCheck %s

// Data choose whether an out= tensor takes other sizes: what follows is evaluated in each way.
// CHECK-LABEL: func.func @forward
// CHECK-SAME: jit.outputs = [{value = ["either", 0, 1, 2]}]
// CHECK: %[[T:.*]] = aten.clone
// CHECK: %[[R:.*]]:2 = scf.if %[[C:[^ ]*]]
// CHECK: %[[E:.*]] = aten.exp
// CHECK-NOT: jit.overwrite
// CHECK: %[[RELU:.*]] = aten.relu %[[E]] : (!jit.tensor<[3],f32>)
// CHECK: } else {
// CHECK: %[[OTHER:.*]] = aten.relu %[[T]] : (!jit.tensor<[2,3],f32>)
// CHECK: return %[[C]], %[[R]]#0, %[[R]]#1
func.func @forward(%x: !jit.tensor, %c: i1) -> !jit.tensor {
  %none = jit.constant !jit.none = unit
  %zero = arith.constant 0 : i64
  %t = aten.clone %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %row = aten.select.int %x, %zero, %zero : (!jit.tensor, i64, i64) -> !jit.tensor
  scf.if %c {
    %e = aten.exp %row : (!jit.tensor) -> !jit.tensor
    %w = jit.overwrite %t, %e {jit.out} : (!jit.tensor, !jit.tensor) -> !jit.tensor
  }
  %r = aten.relu %t : (!jit.tensor) -> !jit.tensor
  return %r : !jit.tensor
}
