// RUN: jit-opt %s --jit-lower --canonicalize --cse --split-input-file | FileCheck %s

// Open sizes of results are those of operands; where operands meet a guard compares them, once.

// CHECK-LABEL: func.func @pointwise(
//  CHECK-SAME:   %[[X:.*]]: tensor<?x8xf32>, %[[Y:.*]]: tensor<?x1xf32>, %[[B:.*]]: tensor<8xf32>)
//   CHECK-DAG:   %[[N:.*]] = tensor.dim %[[X]], %{{.*}}
//   CHECK-DAG:   %[[M:.*]] = tensor.dim %[[Y]], %{{.*}}
//       CHECK:   jit.guard %{{.*}}, "jit.UnequalSizes", "expected equal sizes, got {} and {}"
//   CHECK-NOT:   jit.guard
//       CHECK:   tensor.empty(%[[N]]) : tensor<?x8xf32>
//       CHECK:   linalg.generic
func.func @pointwise(%x: !jit.tensor<[?,8],f32>, %y: !jit.tensor<[?,1],f32>, %b: !jit.tensor<[8],f32>)
    -> !jit.tensor<[?,8],f32> attributes {jit.symbolic} {
  %0 = aten.mul.Tensor %x, %y : (!jit.tensor<[?,8],f32>, !jit.tensor<[?,1],f32>) -> !jit.tensor<[?,8],f32>
  %1 = aten.mul.Tensor %0, %b : (!jit.tensor<[?,8],f32>, !jit.tensor<[8],f32>) -> !jit.tensor<[?,8],f32>
  return %1 : !jit.tensor<[?,8],f32>
}

// -----

// The size that a view leaves to the rest is divided out; dimensions that go together stay a collapse.

// CHECK-LABEL: func.func @flatten(
//  CHECK-SAME:   %[[X:.*]]: tensor<?x2x3xf32>)
//       CHECK:   tensor.collapse_shape %[[X]] {{\[\[}}0], [1, 2]] : tensor<?x2x3xf32> into tensor<?x6xf32>
func.func @flatten(%x: !jit.tensor<[?,2,3],f32>) -> !jit.tensor<[?,6],f32> attributes {jit.symbolic} {
  %rest = arith.constant -1 : i64
  %six = arith.constant 6 : i64
  %sizes = jit.list %rest, %six : (i64, i64) -> !jit.list<i64>
  %0 = aten.view %x, %sizes : (!jit.tensor<[?,2,3],f32>, !jit.list<i64>) -> !jit.tensor<[?,6],f32>
  return %0 : !jit.tensor<[?,6],f32>
}

// -----

// Of a dimension that becomes two of open sizes upstream's passes could compute neither from the other.

// CHECK-LABEL: func.func @unflatten(
//  CHECK-SAME:   %[[X:.*]]: tensor<?xf32>, %[[N:.*]]: i64, %[[M:.*]]: i64)
//       CHECK:   jit.guard %{{.*}}, "jit.UnequalSizes"
//   CHECK-NOT:   tensor.expand_shape
//       CHECK:   %[[SHAPE:.*]] = tensor.from_elements
//       CHECK:   tensor.reshape %[[X]](%[[SHAPE]]) : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
func.func @unflatten(%x: !jit.tensor<[?],f32>, %n: i64, %m: i64) -> !jit.tensor<[?,?],f32> attributes {jit.symbolic} {
  %sizes = jit.list %n, %m : (i64, i64) -> !jit.list<i64>
  %0 = aten.view %x, %sizes : (!jit.tensor<[?],f32>, !jit.list<i64>) -> !jit.tensor<[?,?],f32>
  return %0 : !jit.tensor<[?,?],f32>
}

// -----

// The sum of a product runs as far as the factors agree.

// CHECK-LABEL: func.func @product(
//       CHECK:   jit.guard %{{.*}}, "jit.UnequalSizes"
//       CHECK:   linalg.fill ins(%{{.*}}) outs(%{{.*}} : tensor<?x4xf32>)
//       CHECK:   linalg.generic
//  CHECK-SAME:     "reduction"
func.func @product(%x: !jit.tensor<[?,?],f32>, %y: !jit.tensor<[?,4],f32>) -> !jit.tensor<[?,4],f32>
    attributes {jit.symbolic} {
  %0 = aten.mm %x, %y : (!jit.tensor<[?,?],f32>, !jit.tensor<[?,4],f32>) -> !jit.tensor<[?,4],f32>
  return %0 : !jit.tensor<[?,4],f32>
}

// -----

// CHECK-LABEL: func.func @reduction(
//  CHECK-SAME:   %[[X:.*]]: tensor<?x4xf32>)
//       CHECK:   %[[N:.*]] = tensor.dim %[[X]]
//       CHECK:   tensor.empty(%[[N]]) : tensor<?xf32>
func.func @reduction(%x: !jit.tensor<[?,4],f32>) -> !jit.tensor<[?],f32> attributes {jit.symbolic} {
  %one = arith.constant 1 : i64
  %dims = jit.list %one : (i64) -> !jit.list<i64>
  %keep = arith.constant false
  %none = jit.constant !jit.none = unit
  %0 = aten.sum.dim_IntList %x, %dims, %keep, %none : (!jit.tensor<[?,4],f32>, !jit.list<i64>, i1, !jit.none) -> !jit.tensor<[?],f32>
  return %0 : !jit.tensor<[?],f32>
}

// -----

// How many numbers a sequence has may be known when its end is.

// CHECK-LABEL: func.func @sequence(
//  CHECK-SAME:   %[[N:.*]]: i64
//       CHECK:   jit.guard %{{.*}}, "builtins.RuntimeError", "expected a step that leads from the start to the end"
//       CHECK:   %[[ODD:.*]] = arith.addi %[[N]], %c1_i64
//       CHECK:   %[[COUNT:.*]] = arith.divsi %[[ODD]], %c2_i64
//       CHECK:   %[[SIZE:.*]] = arith.index_cast %[[COUNT]]
//       CHECK:   tensor.empty(%[[SIZE]]) : tensor<?xi64>
func.func @sequence(%n: i64) -> !jit.tensor<[?],i64> {
  %zero = arith.constant 0 : i64
  %two = arith.constant 2 : i64
  %none = jit.constant !jit.none = unit
  %r = aten.arange.start_step %zero, %n, %two, %none, %none, %none, %none : (i64, i64, i64, !jit.none, !jit.none, !jit.none, !jit.none) -> !jit.tensor<[?],i64>
  return %r : !jit.tensor<[?],i64>
}
