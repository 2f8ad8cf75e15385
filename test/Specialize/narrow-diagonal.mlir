// RUN: jit-opt %s --jit-specialize="args=f32[3,4],f32[3,4],f32[2,2,2]" | FileCheck %s

// In place the diagonal of a matrix is written, and nothing beside it; what wraps, what has more dimensions, and what
// is written elsewhere stays whole.
// CHECK-LABEL: func.func @forward
// CHECK: %[[D:.*]] = aten.diagonal %arg0
// CHECK: %[[F:.*]] = aten.fill.Scalar %[[D]]
// CHECK: jit.overwrite %[[D]], %[[F]] {jit.cast = "category"} : (!jit.tensor<[3],f32>, !jit.tensor<[3],f32>)
// CHECK-NOT: aten.diagonal
// CHECK: return %arg0
func.func @forward(%x: !jit.tensor, %y: !jit.tensor, %z: !jit.tensor) -> !jit.tensor {
  %one = arith.constant 1.0 : f64
  %false = arith.constant false
  %true = arith.constant true
  %v = aten.fill_diagonal %x, %one, %false : (!jit.tensor, f64, i1) -> !jit.tensor
  %w = jit.overwrite %x, %v {jit.cast = "category"} : (!jit.tensor, !jit.tensor) -> !jit.tensor
  %a = aten.fill_diagonal %y, %one, %true : (!jit.tensor, f64, i1) -> !jit.tensor
  %b = jit.overwrite %y, %a : (!jit.tensor, !jit.tensor) -> !jit.tensor
  %c = aten.fill_diagonal %z, %one, %false : (!jit.tensor, f64, i1) -> !jit.tensor
  %d = jit.overwrite %z, %c : (!jit.tensor, !jit.tensor) -> !jit.tensor
  %e = aten.fill_diagonal %x, %one, %false : (!jit.tensor, f64, i1) -> !jit.tensor
  %f = jit.overwrite %y, %e : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %w : !jit.tensor
}
