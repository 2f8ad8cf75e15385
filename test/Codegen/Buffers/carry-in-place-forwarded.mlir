// RUN: jit-opt %s --jit-carry-in-place | FileCheck %s

// A body that takes one of two variables and yields both: each is forwarded, so that what is yielded has the buffer of one.
// CHECK:      scf.while (%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
// CHECK:        scf.condition(%{{.*}}) %[[A]], %[[B]]
// CHECK:      ^bb0(%[[C:.*]]: tensor<2xf32>, %[[D:.*]]: tensor<2xf32>):
// CHECK:        %[[E:.*]] = linalg.exp ins(%[[D]]
// CHECK:        %[[NA:.*]] = bufferization.materialize_in_destination %{{.*}} in %[[C]]
// CHECK:        %[[NB:.*]] = bufferization.materialize_in_destination %[[E]] in %[[D]]
// CHECK:        scf.yield %[[NA]], %[[NB]]
func.func @forward(%x: tensor<2xf32>, %y: tensor<2xf32>, %c: i1) -> tensor<2xf32> {
  %e = tensor.empty() : tensor<2xf32>
  %r = scf.while (%a = %x, %b = %y) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32> {
    scf.condition(%c) %b : tensor<2xf32>
  } do {
  ^bb0(%b: tensor<2xf32>):
    %s = linalg.exp ins(%b : tensor<2xf32>) outs(%e : tensor<2xf32>) -> tensor<2xf32>
    scf.yield %b, %s : tensor<2xf32>, tensor<2xf32>
  }
  return %r : tensor<2xf32>
}
