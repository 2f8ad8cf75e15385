// RUN: jit-opt %s --jit-destination-style | FileCheck %s

// The buffer of a result whose sizes follow from the arguments stands at the start, so that the result is computed
// in it.

// CHECK-LABEL: func.func @forward(%{{.*}}: memref<?x4xf32>) {
//       CHECK:   %[[X:.*]] = bufferization.to_tensor
//       CHECK:   %[[N:.*]] = tensor.dim %[[X]], %{{.*}}
//       CHECK:   %[[OUT:.*]] = builtin.unrealized_conversion_cast %[[N]] : index to memref<?xf32> {jit.open_result = 0 : i64}
//       CHECK:   linalg.generic
//       CHECK:   bufferization.materialize_in_destination %{{.*}} in restrict writable %[[OUT]]
func.func @forward(%x: tensor<?x4xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %empty = tensor.empty(%n) : tensor<?xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?xf32>) -> tensor<?xf32>
  %sum = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]} ins(%x : tensor<?x4xf32>) outs(%init : tensor<?xf32>) {
  ^bb0(%a: f32, %s: f32):
    %t = arith.addf %a, %s : f32
    linalg.yield %t : f32
  } -> tensor<?xf32>
  return %sum : tensor<?xf32>
}

// A result without elements is one all the same: what keeps its sizes touches nothing.
// CHECK-LABEL: func.func @nothing(
//       CHECK:   %[[OUT:.*]] = builtin.unrealized_conversion_cast %{{.*}} : index to memref<?x0xf32> {jit.open_result = 0 : i64}
//       CHECK:   memref.prefetch %[[OUT]]
func.func @nothing(%x: tensor<?x0xf32>) -> tensor<?x0xf32> {
  return %x : tensor<?x0xf32>
}
