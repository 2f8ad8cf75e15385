// RUN: jit-opt %s --jit-lower --canonicalize | FileCheck %s

// Each box has to be of one of the images. A bin is the mean of its samples, each of four pixels where it is inside of the image.
// CHECK-LABEL: func.func @align(
//  CHECK-SAME:   %[[X:.*]]: tensor<1x2x5x6xf32>, %[[R:.*]]: tensor<?x5xf32>) -> tensor<?x2x3x4xf32>
//       CHECK:   linalg.generic {{.*}} iterator_types = ["reduction"]
//       CHECK:     arith.cmpf ogt
//       CHECK:     arith.cmpf olt
//       CHECK:   jit.guard %{{.*}}, "builtins.RuntimeError", "expected boxes of {} images, got one of another"
//       CHECK:   linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "parallel"]
//       CHECK:     scf.for %{{.*}} = %c0 to %c2
//       CHECK:       scf.for %{{.*}} = %c0 to %c2
//       CHECK:         scf.if
// CHECK-COUNT-4:           tensor.extract %[[X]]
//       CHECK:     arith.divf %{{.*}}, %cst
func.func @align(%x: !jit.tensor<[1,2,5,6],f32>, %r: !jit.tensor<[?,5],f32>) -> !jit.tensor<[?,2,3,4],f32> attributes {jit.symbolic} {
  %scale = arith.constant 5.0e-01 : f64
  %2 = arith.constant 2 : i64
  %3 = arith.constant 3 : i64
  %4 = arith.constant 4 : i64
  %yes = arith.constant true
  %0 = aten.roi_align %x, %r, %scale, %3, %4, %2, %yes : (!jit.tensor<[1,2,5,6],f32>, !jit.tensor<[?,5],f32>, f64, i64, i64, i64, i1) -> !jit.tensor<[?,2,3,4],f32>
  return %0 : !jit.tensor<[?,2,3,4],f32>
}
