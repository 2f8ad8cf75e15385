// RUN: jit-opt %s --jit-differentiate=entry=batches | FileCheck %s --check-prefix=BATCHES
// RUN: jit-opt %s --jit-differentiate=entry=vectors | FileCheck %s --check-prefix=VECTORS

// One matrix for all of a batch: its gradient is one product over all rows.
// BATCHES-LABEL: func.func @batches(
// BATCHES-SAME:    %[[X:.*]]: !jit.tensor<[5,2,3],f32> {{.*}}, %[[Y:.*]]: !jit.tensor<[3,4],f32>
// BATCHES:         %[[G:.*]] = aten.ones_like
// BATCHES:         %[[T:.*]] = aten.transpose.int %[[Y]]
// BATCHES:         %[[DX:.*]] = aten.matmul %[[G]], %[[T]] : {{.*}} -> !jit.tensor<[5,2,3],f32>
// BATCHES:         %[[XROWS:.*]] = aten.flatten.using_ints %[[X]]{{.*}} -> !jit.tensor<[10,3],f32>
// BATCHES:         %[[GROWS:.*]] = aten.flatten.using_ints %[[G]]{{.*}} -> !jit.tensor<[10,4],f32>
// BATCHES:         %[[XT:.*]] = aten.transpose.int %[[XROWS]]
// BATCHES:         %[[DY:.*]] = aten.matmul %[[XT]], %[[GROWS]]
// BATCHES:         return %{{.*}}, %[[DX]], %[[DY]]
func.func @batches(%x: !jit.tensor<[5,2,3],f32> {jit.requires_grad}, %y: !jit.tensor<[3,4],f32> {jit.requires_grad}) -> !jit.tensor<[5,2,4],f32> {
  %r = aten.matmul %x, %y : (!jit.tensor<[5,2,3],f32>, !jit.tensor<[3,4],f32>) -> !jit.tensor<[5,2,4],f32>
  return %r : !jit.tensor<[5,2,4],f32>
}

// The outer product of two vectors is no sum.
// VECTORS-LABEL: func.func @vectors(
// VECTORS-SAME:    %[[M:.*]]: !jit.tensor<[2,3],f32> {{.*}}, %[[V:.*]]: !jit.tensor<[3],f32>
// VECTORS:         aten.mul.Tensor {{.*}} -> !jit.tensor<[2,3],f32>
// VECTORS:         aten.matmul {{.*}} -> !jit.tensor<[3,1],f32>
func.func @vectors(%m: !jit.tensor<[2,3],f32> {jit.requires_grad}, %v: !jit.tensor<[3],f32> {jit.requires_grad}) -> !jit.tensor<[2],f32> {
  %r = aten.mv %m, %v : (!jit.tensor<[2,3],f32>, !jit.tensor<[3],f32>) -> !jit.tensor<[2],f32>
  return %r : !jit.tensor<[2],f32>
}
