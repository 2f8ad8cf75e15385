// RUN: jit-opt %s --jit-specialize="args=f32[3,2]" --canonicalize | FileCheck %s

// A row as out= of more elements than there are from its first one to the end of the memory, which the program made, and which is used afterwards: the memory becomes a larger one.
// CHECK-LABEL: func.func @forward
// CHECK: %[[T:.*]] = aten.clone
// CHECK: %[[E:.*]] = aten.exp
// CHECK: %[[ROWS:.*]] = aten.reshape %[[E]]
// CHECK: %[[KEPT:.*]] = aten.as_strided %[[T]]
// CHECK: %[[LIST:.*]] = jit.list %[[KEPT]],
// CHECK: %[[MEMORY:.*]] = aten.cat %[[LIST]]
// CHECK-DAG: %[[NOW:.*]] = aten.as_strided %[[MEMORY]], {{.*}} -> !jit.tensor<[3,2],f32>
// CHECK-DAG: %[[ROW:.*]] = aten.as_strided %[[MEMORY]], {{.*}} -> !jit.tensor<[3,2],f32>
// CHECK-NOT: jit.overwrite
func.func @forward(%x: !jit.tensor) -> (!jit.tensor, !jit.tensor) {
  %none = jit.constant !jit.none = unit
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %t = aten.clone %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %row = aten.select.int %t, %zero, %one : (!jit.tensor, i64, i64) -> !jit.tensor
  %e = aten.exp %x : (!jit.tensor) -> !jit.tensor
  %w = jit.overwrite %row, %e {jit.out} : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %t, %row : !jit.tensor, !jit.tensor
}
