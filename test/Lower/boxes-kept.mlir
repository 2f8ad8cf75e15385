// RUN: jit-opt %s --jit-lower --canonicalize | FileCheck %s

// Box after box: one that is kept drops those behind it that share more than the threshold with it. The threshold is a double.
// CHECK-LABEL: func.func @kept(
//  CHECK-SAME:   %[[B:.*]]: tensor<?x4xf32>, %[[T:.*]]: f64) -> tensor<?xi1>
//       CHECK:   %[[ALL:.*]] = linalg.fill ins(%true
//       CHECK:   scf.for %[[I:.*]] = %c0 to %{{.*}} step %c1 iter_args(%[[K:.*]] = %[[ALL]])
//       CHECK:     %[[IS:.*]] = tensor.extract %[[K]][%[[I]]]
//       CHECK:     scf.if %[[IS]]
//       CHECK:       linalg.generic {{.*}} outs(%[[K]]
//       CHECK:         %[[S:.*]] = arith.divf
//       CHECK:         %[[W:.*]] = arith.extf %[[S]] : f32 to f64
//       CHECK:         arith.cmpf ogt, %[[W]], %[[T]]
//       CHECK:         arith.cmpi ugt, %{{.*}}, %[[I]]
//       CHECK:     } else {
//       CHECK:       scf.yield %[[K]]
func.func @kept(%b: !jit.tensor<[?,4],f32>, %t: f64) -> !jit.tensor<[?],i1> attributes {jit.symbolic} {
  %r = aten._kept_boxes %b, %t : (!jit.tensor<[?,4],f32>, f64) -> !jit.tensor<[?],i1>
  return %r : !jit.tensor<[?],i1>
}
