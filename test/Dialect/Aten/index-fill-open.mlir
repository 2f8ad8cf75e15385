// RUN: jit-opt %s --jit-infer-types --jit-decompose | FileCheck %s

// Where an index names places of a dimension of open size: a mask of that size, which broadcasts over the others.
// CHECK-LABEL: func.func @forward(
//       CHECK: %[[SIZE:.*]] = aten.size.int %arg0, %{{.*}} :
//       CHECK: %[[NONE:.*]] = aten.full {{.*}} -> !jit.tensor<[?],i1>
//       CHECK: %[[PLACES:.*]] = aten.index_put %[[NONE]]{{.*}} -> !jit.tensor<[?],i1>
//       CHECK: %[[MASK:.*]] = aten.view %[[PLACES]]{{.*}} -> !jit.tensor<[?,1],i1>
//       CHECK: aten.masked_fill.Scalar %arg0, %[[MASK]]
//   CHECK-NOT: aten.index_fill
func.func @forward(%x: !jit.tensor<[?,?],f32>, %i: !jit.tensor<[?],i64>) -> !jit.tensor attributes {jit.symbolic} {
  %zero = arith.constant 0 : i64
  %value = arith.constant 2.0 : f64
  %0 = aten.index_fill.int_Scalar %x, %zero, %i, %value : (!jit.tensor<[?,?],f32>, i64, !jit.tensor<[?],i64>, f64) -> !jit.tensor
  return %0 : !jit.tensor
}
