// Data choose whether an argument takes other sizes: a further result says so.
// RUN: jit-opt %s --jit-specialize="args=f32[2,3]" | FileCheck %s

// CHECK: func.func @forward(%[[X:.*]]: !jit.tensor<[2,3],f32>
// CHECK-SAME: jit.outputs = [{value = ["either", 0, 1, 2]}, {mutates = array<i64: 0>, offset = 0 : i64, strides = array<i64: 1, 3>, value = ["either", 4, 3, unit]}]
// CHECK: %[[WAY:.*]]:{{.*}} = scf.if
// CHECK: aten.t %[[X]]
// CHECK: %[[TRUE:.*]] = arith.constant true
// CHECK: scf.yield {{.*}}%[[TRUE]]
// CHECK: %[[FALSE:.*]] = arith.constant false
// CHECK: scf.yield {{.*}}%[[FALSE]]
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %none = jit.constant !jit.none = unit
  %s = aten.sum %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %c = aten.Bool.Tensor %s : (!jit.tensor) -> i1
  scf.if %c {
    %u = aten.t %x : (!jit.tensor) -> !jit.tensor
    %b = jit.become %x, %u : (!jit.tensor, !jit.tensor) -> !jit.tensor
  }
  return %x : !jit.tensor
}
