// RUN: jit-opt %s --split-input-file --jit-eliminate-grad-sum-to-size --canonicalize --cse | FileCheck %s

// Open sizes with names are equal where they meet: an operand was broadcast where its type says 1, and where it has fewer dimensions.

!o = !jit.optional<!jit.list<i64>>
// CHECK-LABEL: func.func @named
//  CHECK-SAME: (%[[N:[a-z0-9]+]]: i64, %[[M:[a-z0-9]+]]: i64
//   CHECK-NOT: aten._size_if_not_equal
//   CHECK-DAG: %[[NONE:.*]] = jit.constant !jit.none
//   CHECK-DAG: %[[ROW:.*]] = jit.list %{{.*}} : (i64) -> !jit.list<i64>
//   CHECK-DAG: %[[FLAT:.*]] = jit.list %c1{{.*}}, %c4
//   CHECK-DAG: %[[THIN:.*]] = jit.list %[[N]], %c1
//   CHECK-DAG: %[[NOTHING:.*]] = jit.derefine %[[NONE]]
//   CHECK-DAG: %[[A:.*]] = jit.derefine %[[FLAT]]
//   CHECK-DAG: %[[B:.*]] = jit.derefine %[[THIN]]
//   CHECK-DAG: %[[C:.*]] = jit.derefine %[[ROW]]
//       CHECK: return %[[NOTHING]], %[[NOTHING]], %[[A]], %[[B]], %[[C]]
func.func @named(%n: i64, %m: i64) -> (!o, !o, !o, !o, !o) attributes {jit.symbolic} {
  %c1 = arith.constant 1 : i64
  %c4 = arith.constant 4 : i64
  %a = jit.list %n, %c4 : (i64, i64) -> !jit.list<i64>
  %b = jit.list %m, %c4 : (i64, i64) -> !jit.list<i64>
  %known = jit.list %c4, %c4 : (i64, i64) -> !jit.list<i64>
  %flat = jit.list %c1, %c4 : (i64, i64) -> !jit.list<i64>
  %thin = jit.list %n, %c1 : (i64, i64) -> !jit.list<i64>
  %row = jit.list %c4 : (i64) -> !jit.list<i64>
  %0 = aten._size_if_not_equal %a, %b : (!jit.list<i64>, !jit.list<i64>) -> !o
  %1 = aten._size_if_not_equal %a, %known : (!jit.list<i64>, !jit.list<i64>) -> !o
  %2 = aten._size_if_not_equal %flat, %a : (!jit.list<i64>, !jit.list<i64>) -> !o
  %3 = aten._size_if_not_equal %thin, %a : (!jit.list<i64>, !jit.list<i64>) -> !o
  %4 = aten._size_if_not_equal %row, %a : (!jit.list<i64>, !jit.list<i64>) -> !o
  return %0, %1, %2, %3, %4 : !o, !o, !o, !o, !o
}

// -----

// Without names, or of lists that are not known, only the call says.

!o = !jit.optional<!jit.list<i64>>
// CHECK-LABEL: func.func @unnamed
//       CHECK: aten._size_if_not_equal
func.func @unnamed(%n: i64, %m: i64, %x: !jit.tensor<[?],f32>) -> !o {
  %a = jit.list %n : (i64) -> !jit.list<i64>
  %b = jit.list %m : (i64) -> !jit.list<i64>
  %0 = aten._size_if_not_equal %a, %b : (!jit.list<i64>, !jit.list<i64>) -> !o
  return %0 : !o
}

// -----

!o = !jit.optional<!jit.list<i64>>
// CHECK-LABEL: func.func @unknown
// CHECK-COUNT-2: aten._size_if_not_equal
func.func @unknown(%a: !jit.list<i64>, %n: i64) -> (!o, !o) attributes {jit.symbolic} {
  %b = jit.list %n : (i64) -> !jit.list<i64>
  %0 = aten._size_if_not_equal %a, %b : (!jit.list<i64>, !jit.list<i64>) -> !o
  %1 = aten._size_if_not_equal %b, %a : (!jit.list<i64>, !jit.list<i64>) -> !o
  return %0, %1 : !o, !o
}
