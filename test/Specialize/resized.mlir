// RUN: jit-opt %s --jit-specialize="args=f32[6]" | FileCheck %s

// What a tensor is resized to in place is its memory under other sizes: as far as it goes a view, and then all
// that shows the memory shows a larger one.

// CHECK-LABEL: func.func @forward
//       CHECK: %[[Y:.*]] = aten.mul.Tensor
//       CHECK: %[[PART:.*]] = aten.slice.Tensor %[[Y]]
//       CHECK: %[[LESS:.*]] = aten.as_strided %[[Y]], {{.*}} -> !jit.tensor<[2,2],f32>
//       CHECK: aten.exp %[[LESS]]
//       CHECK: %[[ALL:.*]] = aten.as_strided %[[Y]], {{.*}} -> !jit.tensor<[6],f32>
//       CHECK: %[[MORE:.*]] = aten.new_empty {{.*}} -> !jit.tensor<[2],f32>
//       CHECK: %[[LIST:.*]] = jit.list %[[ALL]], %[[MORE]]
//       CHECK: %[[MEMORY:.*]] = aten.cat %[[LIST]]
//   CHECK-DAG: %[[LARGER:.*]] = aten.as_strided %[[MEMORY]], {{.*}} -> !jit.tensor<[8],f32>
//   CHECK-DAG: %[[MOVED:.*]] = aten.as_strided %[[MEMORY]], {{.*}} -> !jit.tensor<[2],f32>
//       CHECK: return %[[LARGER]], %[[MOVED]]
func.func @forward(%x: !jit.tensor) -> (!jit.tensor, !jit.tensor, !jit.tensor) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %eight = arith.constant 8 : i64
  %none = jit.constant !jit.none = unit
  %y = aten.mul.Tensor %x, %x : (!jit.tensor, !jit.tensor) -> !jit.tensor
  %part = aten.slice.Tensor %y, %zero, %zero, %two, %one : (!jit.tensor, i64, i64, i64, i64) -> !jit.tensor
  %square = jit.list %two, %two : (i64, i64) -> !jit.list<i64>
  %less = aten._resized %y, %square, %none : (!jit.tensor, !jit.list<i64>, !jit.none) -> !jit.tensor
  %0 = jit.become %y, %less : (!jit.tensor, !jit.tensor) -> !jit.tensor
  %e = aten.exp %y : (!jit.tensor) -> !jit.tensor
  %row = jit.list %eight : (i64) -> !jit.list<i64>
  %more = aten._resized %y, %row, %none : (!jit.tensor, !jit.list<i64>, !jit.none) -> !jit.tensor
  %1 = jit.become %y, %more : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %y, %part, %e : !jit.tensor, !jit.tensor, !jit.tensor
}
