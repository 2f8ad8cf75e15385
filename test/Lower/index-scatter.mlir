// RUN: jit-opt %s --jit-lower --canonicalize | FileCheck %s

// Places may repeat, so elements are added one after the other.
// CHECK-LABEL: func.func @scatter_add(
// CHECK: jit.guard %{{.*}}, "builtins.IndexError"
// CHECK: scf.for {{.*}} iter_args(%[[T:.*]] =
// CHECK: %[[OLD:.*]] = tensor.extract %[[T]]
// CHECK: %[[NEW:.*]] = arith.addf %[[OLD]]
// CHECK: tensor.insert %[[NEW]] into %[[T]]
func.func @scatter_add(%x: !jit.tensor<[8],f32>, %i: !jit.tensor<[4],i64>, %y: !jit.tensor<[4],f32>) -> !jit.tensor<[8],f32> {
  %c0 = arith.constant 0 : i64
  %r = aten.scatter_add %x, %c0, %i, %y : (!jit.tensor<[8],f32>, i64, !jit.tensor<[4],i64>, !jit.tensor<[4],f32>) -> !jit.tensor<[8],f32>
  return %r : !jit.tensor<[8],f32>
}
