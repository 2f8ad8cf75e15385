// A guard says that an open size is 2. What comes before the guard is not made for two elements: there may be fewer.
// RUN: jit-opt %s --jit-to-cpu --mlir-print-ir-before=one-shot-bufferize -o /dev/null 2>&1 | FileCheck %s

#map = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func.func @forward
//       CHECK:   tensor.extract_slice {{.*}} : tensor<4xi64> to tensor<?xi64>
//   CHECK-NOT:   tensor<2xi64>
//       CHECK:   jit.guard
//   CHECK-NOT:   tensor<2xi64>
func.func @forward(%places: tensor<4xi64>, %n: i64, %x: tensor<4xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %c2 = arith.constant 2 : i64
  %size = arith.index_cast %n : i64 to index
  %some = tensor.extract_slice %places[0] [%size] [1] : tensor<4xi64> to tensor<?xi64>
  %empty = tensor.empty(%size) : tensor<?xf32>
  %chosen = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%some : tensor<?xi64>) outs(%empty : tensor<?xf32>) {
  ^bb0(%place: i64, %out: f32):
    %i = arith.index_cast %place : i64 to index
    %e = tensor.extract %x[%i] : tensor<4xf32>
    linalg.yield %e : f32
  } -> tensor<?xf32>
  %equal = arith.cmpi eq, %n, %c2 : i64
  jit.guard %equal, "jit.UnequalSizes", "expected equal sizes, got {} and {}"(%n, %c2 : i64, i64)
  %out = tensor.empty() : tensor<2xf32>
  %sum = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%chosen, %y : tensor<?xf32>, tensor<2xf32>) outs(%out : tensor<2xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<2xf32>
  return %sum : tensor<2xf32>
}
