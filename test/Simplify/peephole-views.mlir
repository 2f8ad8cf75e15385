// RUN: jit-opt %s --jit-peephole --canonicalize | FileCheck %s

// Of two views, transposes or conversions one is left, or none. f16 does not hold all of f32.

// CHECK-LABEL: func.func @forward
//  CHECK-SAME: (%[[X:.*]]: !jit.tensor<[2,3,4],f32>, %[[H:.*]]: !jit.tensor<[4],f16>, %[[S:.*]]: !jit.tensor<[3,4],f32>, %[[K:.*]]: i64)
//       CHECK: %[[VIEW:.*]] = aten.view %[[X]], %{{.*}} : (!jit.tensor<[2,3,4],f32>, !jit.list<i64>) -> !jit.tensor<[24],f32>
//       CHECK: %[[ORDER:.*]] = jit.list %{{.*}}, %{{.*}}, %{{.*}} : (i64, i64, i64) -> !jit.list<i64>
//       CHECK: %[[PERMUTED:.*]] = aten.permute %[[X]], %[[ORDER]] : {{.*}} -> !jit.tensor<[4,2,3],f32>
//       CHECK: %[[NARROW:.*]] = aten.to.dtype %{{.*}} -> !jit.tensor<[4],f16>
//       CHECK: %[[BACK:.*]] = aten.to.dtype %[[NARROW]]
//       CHECK: return %[[VIEW]], %[[X]], %[[PERMUTED]], %[[X]], %[[H]], %[[BACK]], %[[S]]
func.func @forward(%x: !jit.tensor<[2,3,4],f32>, %h: !jit.tensor<[4],f16>, %s: !jit.tensor<[3,4],f32>, %k: i64)
    -> (!jit.tensor<[24],f32>, !jit.tensor<[2,3,4],f32>, !jit.tensor<[4,2,3],f32>, !jit.tensor<[2,3,4],f32>,
        !jit.tensor<[4],f16>, !jit.tensor<[4],f32>, !jit.tensor<[3,4],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %2 = arith.constant 2 : i64
  %3 = arith.constant 3 : i64
  %4 = arith.constant 4 : i64
  %6 = arith.constant 6 : i64
  %24 = arith.constant 24 : i64
  %half = arith.constant 5 : i64
  %single = arith.constant 6 : i64
  %false = arith.constant false
  %none = jit.constant !jit.none = unit
  %matrix = jit.list %6, %4 : (i64, i64) -> !jit.list<i64>
  %flat = jit.list %24 : (i64) -> !jit.list<i64>
  %own = jit.list %2, %3, %4 : (i64, i64, i64) -> !jit.list<i64>
  %v = aten.view %x, %matrix : (!jit.tensor<[2,3,4],f32>, !jit.list<i64>) -> !jit.tensor<[6,4],f32>
  %v1 = aten.view %v, %flat : (!jit.tensor<[6,4],f32>, !jit.list<i64>) -> !jit.tensor<[24],f32>
  %v2 = aten.view %v1, %own : (!jit.tensor<[24],f32>, !jit.list<i64>) -> !jit.tensor<[2,3,4],f32>
  %t = aten.transpose.int %x, %1, %2 : (!jit.tensor<[2,3,4],f32>, i64, i64) -> !jit.tensor<[2,4,3],f32>
  %t1 = aten.transpose.int %t, %0, %1 : (!jit.tensor<[2,4,3],f32>, i64, i64) -> !jit.tensor<[4,2,3],f32>
  %e = aten.expand %v2, %own, %false : (!jit.tensor<[2,3,4],f32>, !jit.list<i64>, i1) -> !jit.tensor<[2,3,4],f32>
  %wide = aten.to.dtype %h, %single, %false, %false, %none : (!jit.tensor<[4],f16>, i64, i1, i1, !jit.none) -> !jit.tensor<[4],f32>
  %back = aten.to.dtype %wide, %half, %false, %false, %none : (!jit.tensor<[4],f32>, i64, i1, i1, !jit.none) -> !jit.tensor<[4],f16>
  %f = aten.exp %wide : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %narrow = aten.to.dtype %f, %half, %false, %false, %none : (!jit.tensor<[4],f32>, i64, i1, i1, !jit.none) -> !jit.tensor<[4],f16>
  %again = aten.to.dtype %narrow, %single, %false, %false, %none : (!jit.tensor<[4],f16>, i64, i1, i1, !jit.none) -> !jit.tensor<[4],f32>
  %written = aten.select_scatter %x, %s, %0, %k : (!jit.tensor<[2,3,4],f32>, !jit.tensor<[3,4],f32>, i64, i64) -> !jit.tensor<[2,3,4],f32>
  %read = aten.select.int %written, %0, %k : (!jit.tensor<[2,3,4],f32>, i64, i64) -> !jit.tensor<[3,4],f32>
  return %v1, %v2, %t1, %e, %back, %again, %read : !jit.tensor<[24],f32>, !jit.tensor<[2,3,4],f32>, !jit.tensor<[4,2,3],f32>,
      !jit.tensor<[2,3,4],f32>, !jit.tensor<[4],f16>, !jit.tensor<[4],f32>, !jit.tensor<[3,4],f32>
}
