// RUN: jit-opt %s --jit-lower --canonicalize | FileCheck %s

// As many as a number says, which is compared with what there is.
// CHECK-LABEL: func.func @largest(
//  CHECK-SAME:   %[[X:.*]]: tensor<?xf32>, %[[K:.*]]: i64) -> tensor<?xf32>
//       CHECK:   %[[FITS:.*]] = arith.cmpi ule, %[[K]], %{{.*}} : i64
//       CHECK:   jit.guard %[[FITS]], "builtins.RuntimeError", "expected at most {} elements to take, got {}"
//       CHECK:   %[[N:.*]] = arith.index_cast %[[K]]
//       CHECK:   tensor.empty(%[[N]]) : tensor<?xi64>
func.func @largest(%x: !jit.tensor<[?],f32>, %k: i64) -> !jit.tensor<[?],f32> attributes {jit.symbolic} {
  %d = arith.constant 0 : i64
  %yes = arith.constant true
  %v, %i = aten.topk %x, %k, %d, %yes, %yes : (!jit.tensor<[?],f32>, i64, i64, i1, i1) -> (!jit.tensor<[?],f32>, !jit.tensor<[?],i64>)
  return %v : !jit.tensor<[?],f32>
}

// CHECK-LABEL: func.func @all(
//   CHECK-NOT:   jit.guard
//       CHECK:   return
func.func @all(%x: !jit.tensor<[?],f32>) -> !jit.tensor<[?],i64> attributes {jit.symbolic} {
  %d = arith.constant 0 : i64
  %yes = arith.constant true
  %v, %i = aten.sort %x, %d, %yes : (!jit.tensor<[?],f32>, i64, i1) -> (!jit.tensor<[?],f32>, !jit.tensor<[?],i64>)
  return %i : !jit.tensor<[?],i64>
}
