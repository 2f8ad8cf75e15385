// RUN: jit-opt %s --jit-eliminate-grad-sum-to-size --split-input-file | FileCheck %s

// Known sizes that differ are no equal ones, whatever is open beside them; of a sum of a sum the inner one stays where the outer size may be
// None.

// CHECK-LABEL: func.func @differ
//       CHECK: aten._grad_sum_to_size %arg0
//       CHECK: return
func.func @differ(%a: !jit.tensor<[?,4],f32>, %size: !jit.optional<!jit.list<i64>>) -> !jit.tensor<[?,5],f32> attributes {jit.symbolic} {
  %0 = aten._grad_sum_to_size %a, %size : (!jit.tensor<[?,4],f32>, !jit.optional<!jit.list<i64>>) -> !jit.tensor<[?,5],f32>
  return %0 : !jit.tensor<[?,5],f32>
}

// -----

// CHECK-LABEL: func.func @known_beside
//       CHECK: aten._grad_sum_to_size %arg0
//       CHECK: return
func.func @known_beside(%a: !jit.tensor<[3,?],f32>, %size: !jit.optional<!jit.list<i64>>) -> !jit.tensor<[4,5],f32> attributes {jit.symbolic} {
  %0 = aten._grad_sum_to_size %a, %size : (!jit.tensor<[3,?],f32>, !jit.optional<!jit.list<i64>>) -> !jit.tensor<[4,5],f32>
  return %0 : !jit.tensor<[4,5],f32>
}

// -----

// CHECK-LABEL: func.func @maybe
//       CHECK: %[[INNER:.*]] = aten._grad_sum_to_size %arg0, %arg1
//       CHECK: %[[OUTER:.*]] = aten._grad_sum_to_size %[[INNER]], %arg2
//       CHECK: return %[[OUTER]]
func.func @maybe(%a: !jit.tensor<[?,?],f32>, %inner: !jit.list<i64>, %outer: !jit.optional<!jit.list<i64>>) -> !jit.tensor<[?],f32> {
  %0 = aten._grad_sum_to_size %a, %inner : (!jit.tensor<[?,?],f32>, !jit.list<i64>) -> !jit.tensor<[?],f32>
  %1 = aten._grad_sum_to_size %0, %outer : (!jit.tensor<[?],f32>, !jit.optional<!jit.list<i64>>) -> !jit.tensor<[?],f32>
  return %1 : !jit.tensor<[?],f32>
}

// -----

// An operand of known size is as large as one of open size, but for 1; one of another size is not.

// CHECK-LABEL: func.func @questions
//   CHECK-DAG: %[[NONE:.*]] = jit.constant !jit.none
//   CHECK-DAG: %[[A:.*]] = jit.derefine %[[NONE]]
//   CHECK-DAG: %[[SIZE:.*]] = jit.list %{{.*}}, %{{.*}} : (i64, i64)
//       CHECK: %[[B:.*]] = jit.derefine %[[SIZE]] : !jit.list<i64>
//       CHECK: return %[[A]], %[[B]]
func.func @questions(%n: i64, %m: i64) -> (!jit.optional<!jit.list<i64>>, !jit.optional<!jit.list<i64>>) attributes {jit.symbolic} {
  %3 = arith.constant 3 : i64
  %4 = arith.constant 4 : i64
  %a = jit.list %4 : (i64) -> !jit.list<i64>
  %b = jit.list %n : (i64) -> !jit.list<i64>
  %c = jit.list %3, %n : (i64, i64) -> !jit.list<i64>
  %d = jit.list %4, %m : (i64, i64) -> !jit.list<i64>
  %0 = aten._size_if_not_equal %a, %b : (!jit.list<i64>, !jit.list<i64>) -> !jit.optional<!jit.list<i64>>
  %1 = aten._size_if_not_equal %c, %d : (!jit.list<i64>, !jit.list<i64>) -> !jit.optional<!jit.list<i64>>
  return %0, %1 : !jit.optional<!jit.list<i64>>, !jit.optional<!jit.list<i64>>
}
