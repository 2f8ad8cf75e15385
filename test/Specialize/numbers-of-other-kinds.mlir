// RUN: jit-opt %s --jit-specialize="args=i64[],f32[1],3,[0,2]" | FileCheck %s

// Where a number is asked for, a tensor of one element gives it, and an int says whether a bool holds, as PyTorch takes them.
// CHECK-LABEL: func.func @forward(
// CHECK-SAME: %[[N:[a-z0-9]+]]: !jit.tensor<[],i64> {jit.arg = array<i64: 0>}, %[[X:[a-z0-9]+]]: !jit.tensor<[1],f32>
// CHECK: aten.Int.Tensor %[[N]]
// CHECK: aten.Float.Tensor %[[X]]
// CHECK: arith.constant true
// CHECK: arith.constant false
func.func @forward(%n: i64, %x: f64, %b: i1, %l: !jit.list<i1>) -> (i64, f64, i1, !jit.list<i1>) {
  return %n, %x, %b, %l : i64, f64, i1, !jit.list<i1>
}
