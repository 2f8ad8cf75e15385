// RUN: jit-opt %s --jit-specialize="args=f32[2,3],?bool" --canonicalize | FileCheck %s

// What follows a branch on data is evaluated in each of its ways, as sizes change in place. Both make the same of an argument: a further result, which the caller is told of.
// CHECK-LABEL: func.func @forward
// CHECK-SAME: (%[[X:.*]]: !jit.tensor<[2,3],f32>
// CHECK-SAME: {mutates = array<i64: 0>, offset = 0 : i64, strides = array<i64: 1, 3>, value = 1 : i64}
// CHECK: %[[R:.*]]:2 = scf.if
// CHECK: %[[T:.*]] = aten.t %[[X]]
// CHECK: scf.yield %{{.*}}, %[[T]]
// CHECK: } else {
// CHECK: %[[U:.*]] = aten.t %[[X]]
// CHECK: scf.yield %{{.*}}, %[[U]]
// CHECK: return %[[R]]#0, %[[R]]#1
func.func @forward(%x: !jit.tensor, %c: i1) -> !jit.tensor {
  %y = scf.if %c -> !jit.tensor {
    %a = aten.relu %x : (!jit.tensor) -> !jit.tensor
    scf.yield %a : !jit.tensor
  } else {
    %b = aten.tanh %x : (!jit.tensor) -> !jit.tensor
    scf.yield %b : !jit.tensor
  }
  %t = aten.t %x : (!jit.tensor) -> !jit.tensor
  %w = jit.become %x, %t : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %y : !jit.tensor
}
