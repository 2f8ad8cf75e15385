// RUN: jit-opt %s --split-input-file --jit-peephole | FileCheck %s

// Something of the zeros is left: an end, every other row, or all where the halves lie along two dimensions.

// CHECK-LABEL: func.func @left
//   CHECK-NOT: jit.poison
//       CHECK: return
func.func @left(%x: !jit.tensor<[4,4],f32>, %a: !jit.tensor<[4,2],f32>, %b: !jit.tensor<[2,4],f32>, %c: !jit.tensor<[4,1],f32>)
    -> (!jit.tensor<[4,4],f32>, !jit.tensor<[4,4],f32>, !jit.tensor<[4,4],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %2 = arith.constant 2 : i64
  %3 = arith.constant 3 : i64
  %4 = arith.constant 4 : i64
  %none = jit.constant !jit.none = unit
  %zeros = aten.zeros_like %x, %none, %none, %none, %none, %none : (!jit.tensor<[4,4],f32>, !jit.none, !jit.none, !jit.none, !jit.none, !jit.none) -> !jit.tensor<[4,4],f32>
  %s = aten.slice_scatter %zeros, %a, %1, %0, %2, %1 : (!jit.tensor<[4,4],f32>, !jit.tensor<[4,2],f32>, i64, i64, i64, i64) -> !jit.tensor<[4,4],f32>
  %s1 = aten.slice_scatter %s, %c, %1, %2, %3, %1 : (!jit.tensor<[4,4],f32>, !jit.tensor<[4,1],f32>, i64, i64, i64, i64) -> !jit.tensor<[4,4],f32>
  %t = aten.slice_scatter %zeros, %a, %1, %0, %4, %2 : (!jit.tensor<[4,4],f32>, !jit.tensor<[4,2],f32>, i64, i64, i64, i64) -> !jit.tensor<[4,4],f32>
  %t1 = aten.slice_scatter %t, %a, %1, %2, %4, %1 : (!jit.tensor<[4,4],f32>, !jit.tensor<[4,2],f32>, i64, i64, i64, i64) -> !jit.tensor<[4,4],f32>
  %u = aten.slice_scatter %zeros, %b, %0, %0, %2, %1 : (!jit.tensor<[4,4],f32>, !jit.tensor<[2,4],f32>, i64, i64, i64, i64) -> !jit.tensor<[4,4],f32>
  %u1 = aten.slice_scatter %u, %a, %1, %2, %4, %1 : (!jit.tensor<[4,4],f32>, !jit.tensor<[4,2],f32>, i64, i64, i64, i64) -> !jit.tensor<[4,4],f32>
  return %s1, %t1, %u1 : !jit.tensor<[4,4],f32>, !jit.tensor<[4,4],f32>, !jit.tensor<[4,4],f32>
}

// -----

// Where a slice begins, or along which dimension it lies, is known at the call alone.

// CHECK-LABEL: func.func @unknown
//   CHECK-NOT: jit.poison
//       CHECK: return
func.func @unknown(%x: !jit.tensor<[4,4],f32>, %a: !jit.tensor<[4,2],f32>, %y: !jit.tensor<[4,4],f32>, %k: i64)
    -> (!jit.tensor<[4,4],f32>, !jit.tensor<[4,4],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %2 = arith.constant 2 : i64
  %4 = arith.constant 4 : i64
  %s = aten.slice_scatter %x, %a, %1, %2, %4, %1 : (!jit.tensor<[4,4],f32>, !jit.tensor<[4,2],f32>, i64, i64, i64, i64) -> !jit.tensor<[4,4],f32>
  %s1 = aten.slice_scatter %s, %a, %1, %k, %4, %1 : (!jit.tensor<[4,4],f32>, !jit.tensor<[4,2],f32>, i64, i64, i64, i64) -> !jit.tensor<[4,4],f32>
  %t = aten.slice_scatter %x, %y, %k, %0, %4, %1 : (!jit.tensor<[4,4],f32>, !jit.tensor<[4,4],f32>, i64, i64, i64, i64) -> !jit.tensor<[4,4],f32>
  return %s1, %t : !jit.tensor<[4,4],f32>, !jit.tensor<[4,4],f32>
}

// -----

// The tensor between the two writes is a result, too; the dimension counts from the end.

// CHECK-LABEL: func.func @seen_between
//  CHECK-SAME: (%[[X:[a-z0-9]+]]: !jit.tensor<[4,4],f32>, %[[Y:[a-z0-9]+]]: !jit.tensor<[4,4],f32>
//       CHECK: %[[NOTHING:.*]] = jit.poison
//       CHECK: %[[A:.*]] = aten.slice_scatter %[[NOTHING]]
//       CHECK: aten.slice_scatter %[[A]]
//       CHECK: %[[B:.*]] = aten.slice_scatter %[[Y]]
//       CHECK: aten.slice_scatter %[[B]]
func.func @seen_between(%x: !jit.tensor<[4,4],f32>, %y: !jit.tensor<[4,4],f32>, %a: !jit.tensor<[4,2],f32>)
    -> (!jit.tensor<[4,4],f32>, !jit.tensor<[4,4],f32>, !jit.tensor<[4,4],f32>) {
  %last = arith.constant -1 : i64
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %2 = arith.constant 2 : i64
  %4 = arith.constant 4 : i64
  %s = aten.slice_scatter %x, %a, %last, %2, %4, %1 : (!jit.tensor<[4,4],f32>, !jit.tensor<[4,2],f32>, i64, i64, i64, i64) -> !jit.tensor<[4,4],f32>
  %s1 = aten.slice_scatter %s, %a, %last, %0, %2, %1 : (!jit.tensor<[4,4],f32>, !jit.tensor<[4,2],f32>, i64, i64, i64, i64) -> !jit.tensor<[4,4],f32>
  %t = aten.slice_scatter %y, %a, %1, %2, %4, %1 : (!jit.tensor<[4,4],f32>, !jit.tensor<[4,2],f32>, i64, i64, i64, i64) -> !jit.tensor<[4,4],f32>
  %t1 = aten.slice_scatter %t, %a, %1, %0, %2, %1 : (!jit.tensor<[4,4],f32>, !jit.tensor<[4,2],f32>, i64, i64, i64, i64) -> !jit.tensor<[4,4],f32>
  return %s1, %t, %t1 : !jit.tensor<[4,4],f32>, !jit.tensor<[4,4],f32>, !jit.tensor<[4,4],f32>
}
