// RUN: jit-opt %s --jit-specialize="args=f32[5,3],3" --canonicalize | FileCheck %s
// RUN: jit-opt %s --jit-specialize="args=f32[5,3],4" --canonicalize | FileCheck %s --check-prefix=MOVED
// RUN: jit-opt %s --jit-specialize="args=f32[5,3],?int" --canonicalize | FileCheck %s --check-prefix=KEPT
// RUN: jit-opt %s --jit-specialize="args=f32[?,3],0" --canonicalize | FileCheck %s --check-prefix=KEPT

// A row as out= of five elements takes these from its first place on, in the memory that it shows: row 3 of five has room for them, the last one has not, and
// the memory becomes larger. Where nobody knows it, out= stays what it is.
// CHECK-DAG: %[[NINE:.*]] = arith.constant 9 : i64
// CHECK-DAG: %[[FIVE:.*]] = arith.constant 5 : i64
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i64
// CHECK: %[[T:.*]] = aten.clone
// CHECK: %[[ROW:.*]] = aten.select.int %[[T]]
// CHECK: %[[RESULT:.*]] = aten.exp
// CHECK: %[[RESULT:.*]] = aten.exp
// CHECK: %[[SIZES:.*]] = jit.list %[[FIVE]]
// CHECK: %[[STEPS:.*]] = jit.list %[[ONE]]
// CHECK: %[[LONGER:.*]] = aten.as_strided %[[ROW]], %[[SIZES]], %[[STEPS]], %[[NINE]]
// CHECK: jit.overwrite %[[LONGER]], %[[RESULT]] :
// CHECK: return %[[LONGER]], %[[T]]
// MOVED: %[[T:.*]] = aten.clone
// MOVED: %[[MEMORY:.*]] = aten.cat
// MOVED-DAG: aten.as_strided %[[MEMORY]], {{.*}} -> !jit.tensor<[5,3],f32>
// MOVED-DAG: aten.as_strided %[[MEMORY]], {{.*}} -> !jit.tensor<[5],f32>
// MOVED-NOT: jit.overwrite
// KEPT: %[[T:.*]] = aten.clone
// KEPT: %[[ROW:.*]] = aten.select.int %[[T]]
// KEPT-NOT: aten.as_strided
// KEPT: jit.overwrite %[[ROW]], %{{.*}} {jit.out}
// KEPT: return %[[ROW]], %[[T]]
func.func @forward(%x: !jit.tensor, %n: i64) -> (!jit.tensor, !jit.tensor) {
  %none = jit.constant !jit.none = unit
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %t = aten.clone %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %row = aten.select.int %t, %zero, %n : (!jit.tensor, i64, i64) -> !jit.tensor
  %e = aten.exp %x : (!jit.tensor) -> !jit.tensor
  %h = aten.select.int %e, %one, %zero : (!jit.tensor, i64, i64) -> !jit.tensor
  %g = aten.exp %h : (!jit.tensor) -> !jit.tensor
  %w = jit.overwrite %row, %g {jit.out} : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %row, %t : !jit.tensor, !jit.tensor
}
