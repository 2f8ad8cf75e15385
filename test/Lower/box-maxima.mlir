// RUN: jit-opt %s --jit-lower --canonicalize | FileCheck %s

// The values alone: what finds the places is not there.
// CHECK-LABEL: func.func @pool(
//       CHECK:   jit.guard
//       CHECK:   linalg.generic
//   CHECK-NOT:   linalg.generic
//       CHECK:   %[[S:.*]] = arith.select %{{.*}}, %{{.*}}, %{{.*}} : f32
//       CHECK:   scf.for
//       CHECK:     scf.for
//       CHECK:       arith.cmpf ogt
//   CHECK-NOT:   linalg.generic
//       CHECK:   return
func.func @pool(%x: !jit.tensor<[1,2,5,6],f32>, %r: !jit.tensor<[4,5],f32>) -> !jit.tensor<[4,2,3,3],f32> {
  %scale = arith.constant 5.0e-01 : f64
  %3 = arith.constant 3 : i64
  %0:2 = aten.roi_pool %x, %r, %scale, %3, %3 : (!jit.tensor<[1,2,5,6],f32>, !jit.tensor<[4,5],f32>, f64, i64, i64) -> (!jit.tensor<[4,2,3,3],f32>, !jit.tensor<[4,2,3,3],i32>)
  return %0#0 : !jit.tensor<[4,2,3,3],f32>
}
