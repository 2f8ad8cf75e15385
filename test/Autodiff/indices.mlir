// RUN: jit-opt %s --jit-differentiate=entry=gather --canonicalize --cse | FileCheck %s --check-prefix=GATHER
// RUN: jit-opt %s --jit-differentiate=entry=scatter --canonicalize --cse | FileCheck %s --check-prefix=SCATTER
// RUN: jit-opt %s --jit-differentiate=entry=embedding --canonicalize --cse | FileCheck %s --check-prefix=EMBEDDING

// Places that are picked twice get the sum.
// GATHER-LABEL: func.func @gather(
//  GATHER-SAME:    %[[X:[a-z0-9]+]]: !jit.tensor<[4,8],f32> {{.*}}, %[[I:.*]]: !jit.tensor<[4,3],i64>
//       GATHER: %[[G:.*]] = aten.ones_like
//       GATHER: %[[ZEROS:.*]] = aten.zeros_like %[[X]]
//       GATHER: aten.scatter_add %[[ZEROS]], %{{.*}}, %[[I]], %[[G]]
func.func @gather(%x: !jit.tensor<[4,8],f32> {jit.requires_grad}, %i: !jit.tensor<[4,3],i64>) -> !jit.tensor<[4,3],f32> {
  %c1 = arith.constant 1 : i64
  %false = arith.constant false
  %0 = aten.gather %x, %c1, %i, %false : (!jit.tensor<[4,8],f32>, i64, !jit.tensor<[4,3],i64>, i1) -> !jit.tensor<[4,3],f32>
  return %0 : !jit.tensor<[4,3],f32>
}

// Nothing flows to what is replaced, nor to what of the source is not scattered.
// SCATTER-LABEL: func.func @scatter(
//       SCATTER: %[[G:.*]] = aten.ones_like
//       SCATTER: %[[GX:.*]] = aten.scatter.value %[[G]]
//       SCATTER: %[[USED:.*]] = aten.gather %[[G]]{{.*}} -> !jit.tensor<[4,3],f32>
//       SCATTER: %[[GS:.*]] = aten.constant_pad_nd %[[USED]]{{.*}} -> !jit.tensor<[4,5],f32>
//       SCATTER: return %{{.*}}, %[[GX]], %[[GS]]
func.func @scatter(%x: !jit.tensor<[4,8],f32> {jit.requires_grad}, %i: !jit.tensor<[4,3],i64>, %s: !jit.tensor<[4,5],f32> {jit.requires_grad}) -> !jit.tensor<[4,8],f32> {
  %c1 = arith.constant 1 : i64
  %0 = aten.scatter.src %x, %c1, %i, %s : (!jit.tensor<[4,8],f32>, i64, !jit.tensor<[4,3],i64>, !jit.tensor<[4,5],f32>) -> !jit.tensor<[4,8],f32>
  return %0 : !jit.tensor<[4,8],f32>
}

// The row of the padding index learns nothing.
// EMBEDDING-LABEL: func.func @embedding(
//  EMBEDDING-SAME:    %[[W:[a-z0-9]+]]: !jit.tensor<[10,4],f32> {{.*}}, %[[I:.*]]: !jit.tensor<[2,3],i64>
//       EMBEDDING: %[[SEVEN:.*]] = arith.constant 7 : i64
//       EMBEDDING: %[[G:.*]] = aten.ones_like
//       EMBEDDING: %[[ISPADDING:.*]] = aten.eq.Scalar %[[I]], %[[SEVEN]]
//       EMBEDDING: %[[MASK:.*]] = aten.unsqueeze %[[ISPADDING]]
//       EMBEDDING: %[[LEFT:.*]] = aten.where.ScalarSelf %[[MASK]], %{{.*}}, %[[G]]
//       EMBEDDING: %[[ZEROS:.*]] = aten.zeros_like %[[W]]
//       EMBEDDING: aten.index_put %[[ZEROS]], %{{.*}}, %[[LEFT]], %true
func.func @embedding(%w: !jit.tensor<[10,4],f32> {jit.requires_grad}, %i: !jit.tensor<[2,3],i64>) -> !jit.tensor<[2,3,4],f32> {
  %c7 = arith.constant 7 : i64
  %false = arith.constant false
  %0 = aten.embedding %w, %i, %c7, %false, %false : (!jit.tensor<[10,4],f32>, !jit.tensor<[2,3],i64>, i64, i1, i1) -> !jit.tensor<[2,3,4],f32>
  return %0 : !jit.tensor<[2,3,4],f32>
}
