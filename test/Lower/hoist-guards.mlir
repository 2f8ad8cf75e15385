// RUN: jit-opt %s --jit-hoist-guards --canonicalize | FileCheck %s

#map = affine_map<(d0) -> (d0)>

// What stands before the guard has its sizes; so has the other tensor that was found to have as many.
// CHECK-LABEL: func.func @before
//       CHECK:   jit.guard
//       CHECK:   jit.guard
//   CHECK-NOT:   jit.guard
//       CHECK:   linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4xf32>)
func.func @before(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : i64
  %dx = tensor.dim %x, %c0 : tensor<?xf32>
  %nx = arith.index_cast %dx : index to i64
  %dy = tensor.dim %y, %c0 : tensor<?xf32>
  %ny = arith.index_cast %dy : index to i64
  %same = arith.cmpi eq, %nx, %ny : i64
  jit.guard %same, "jit.UnequalSizes", "expected equal sizes, got {} and {}"(%nx, %ny : i64, i64)
  %empty = tensor.empty(%dx) : tensor<?xf32>
  %sum = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%x, %y : tensor<?xf32>, tensor<?xf32>) outs(%empty : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  %four = arith.cmpi eq, %nx, %c4 : i64
  jit.guard %four, "jit.UnequalSizes", "expected equal sizes, got {} and {}"(%c4, %nx : i64, i64)
  jit.guard %same, "jit.UnequalSizes", "expected equal sizes, got {} and {}"(%nx, %ny : i64, i64)
  return %sum : tensor<?xf32>
}

// What data say is asked where it is known, and nothing before counts on it; guards stay in order.
// CHECK-LABEL: func.func @of_data
//       CHECK:   linalg.generic {{.*}} outs(%{{.*}} : tensor<?xf32>)
//       CHECK:   tensor.extract
//       CHECK:   jit.guard {{.*}} "of data"
//       CHECK:   jit.guard {{.*}} "of sizes"
func.func @of_data(%x: tensor<?xf32>, %n: tensor<i64>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : i64
  %dx = tensor.dim %x, %c0 : tensor<?xf32>
  %nx = arith.index_cast %dx : index to i64
  %empty = tensor.empty(%dx) : tensor<?xf32>
  %double = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%x : tensor<?xf32>) outs(%empty : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  %data = tensor.extract %n[] : tensor<i64>
  %equal = arith.cmpi eq, %data, %nx : i64
  jit.guard %equal, "jit.UnequalSizes", "of data"(%data, %nx : i64, i64)
  %four = arith.cmpi eq, %nx, %c4 : i64
  jit.guard %four, "jit.UnequalSizes", "of sizes"(%c4, %nx : i64, i64)
  return %double : tensor<?xf32>
}

// Sizes cannot be four and three: what is behind the second guard is never reached.
// CHECK-LABEL: func.func @never
//       CHECK:   jit.guard {{.*}} "is four"
//       CHECK:   jit.guard {{.*}} "is three"
//   CHECK-NOT:   linalg.generic
//   CHECK-NOT:   "behind"
//       CHECK:   %[[NOTHING:.*]] = tensor.empty() : tensor<3xf32>
//       CHECK:   return %[[NOTHING]]
func.func @never(%x: tensor<?xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : i64
  %c4 = arith.constant 4 : i64
  %dx = tensor.dim %x, %c0 : tensor<?xf32>
  %nx = arith.index_cast %dx : index to i64
  %four = arith.cmpi eq, %nx, %c4 : i64
  jit.guard %four, "jit.UnequalSizes", "is four"(%nx : i64)
  %three = arith.cmpi eq, %nx, %c3 : i64
  jit.guard %three, "jit.UnequalSizes", "is three"(%nx : i64)
  %empty = tensor.empty() : tensor<3xf32>
  %sum = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%x, %y : tensor<?xf32>, tensor<3xf32>) outs(%empty : tensor<3xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %unknown = tensor.extract %sum[%c0] : tensor<3xf32>
  %positive = arith.cmpf ogt, %unknown, %unknown : f32
  jit.guard %positive, "jit.UnequalSizes", "behind"(%nx : i64)
  return %sum : tensor<3xf32>
}
