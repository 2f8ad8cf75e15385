// RUN: jit-opt %s --pass-pipeline='builtin.module(func.func(jit-fuse-loops))' | FileCheck %s

// What a reduction begins with is its result where there are no elements, though none decides what it gives.
// CHECK-LABEL: func.func @all(
// CHECK:         %[[BEGIN:.*]] = linalg.fill
// CHECK:         %[[SOME:.*]] = arith.cmpi ne, %{{.*}}, %{{.*}} : index
// CHECK:         linalg.generic {{.*}} outs(%[[BEGIN]] : tensor<i1>)
// CHECK-NEXT:    ^bb0(%[[OUT:.*]]: i1):
// CHECK-NEXT:      %[[CHOSEN:.*]] = arith.select %[[SOME]], %false, %[[OUT]] : i1
// CHECK-NEXT:      linalg.yield %[[CHOSEN]]
func.func @all(%x: tensor<?xi64>) -> tensor<i1> {
  %true = arith.constant true
  %empty = tensor.empty() : tensor<i1>
  %begin = linalg.fill ins(%true : i1) outs(%empty : tensor<i1>) -> tensor<i1>
  %all = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<?xi64>) outs(%begin : tensor<i1>) {
  ^bb0(%element: i64, %before: i1):
    %never = arith.cmpi slt, %element, %element : i64
    %both = arith.andi %never, %before : i1
    linalg.yield %both : i1
  } -> tensor<i1>
  return %all : tensor<i1>
}

// With elements in any case, it begins with nothing.
// CHECK-LABEL: func.func @some(
// CHECK-NOT:     linalg.fill
// CHECK-NOT:     arith.select
func.func @some(%x: tensor<8xi64>) -> tensor<i1> {
  %true = arith.constant true
  %empty = tensor.empty() : tensor<i1>
  %begin = linalg.fill ins(%true : i1) outs(%empty : tensor<i1>) -> tensor<i1>
  %all = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<8xi64>) outs(%begin : tensor<i1>) {
  ^bb0(%element: i64, %before: i1):
    %never = arith.cmpi slt, %element, %element : i64
    %both = arith.andi %never, %before : i1
    linalg.yield %both : i1
  } -> tensor<i1>
  return %all : tensor<i1>
}
