// RUN: jit-opt %s --split-input-file --jit-lower | FileCheck %s

// Some rows of results at a time: what their windows read is gathered, channels last, and multiplied by weights of known sizes.
// CHECK-LABEL: func.func @sides(
// CHECK: jit.guard %{{.*}}, "builtins.RuntimeError", "expected an input no smaller than the window of {}, got size {}"
// CHECK: linalg.transpose {{.*}} permutation = [0, 2, 3, 1]
// CHECK: scf.for
// CHECK: scf.for %[[FIRST:[^ ]*]] =
// CHECK: arith.muli %[[FIRST]], %{{.*}} : index
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<?x?x1x3x3x8xf32>)
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<?x?x1x3x3x8xf32>, tensor<1x4x3x3x8xf32>) outs(%{{.*}} : tensor<?x?x1x4xf32>)
// CHECK: linalg.transpose {{.*}} permutation = [2, 0, 1]
// CHECK: tensor.insert_slice
func.func @sides(%x: !jit.tensor<[?,8,?,?],f32>, %w: !jit.tensor<[4,8,3,3],f32>) -> !jit.tensor<[?,4,?,?],f32> attributes {jit.symbolic} {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %2 = arith.constant 2 : i64
  %no = arith.constant false
  %none = jit.constant !jit.none = unit
  %zeros = jit.list %0, %0 : (i64, i64) -> !jit.list<i64>
  %ones = jit.list %1, %1 : (i64, i64) -> !jit.list<i64>
  %twos = jit.list %2, %2 : (i64, i64) -> !jit.list<i64>
  %r = aten.convolution %x, %w, %none, %twos, %ones, %ones, %no, %zeros, %1 : (!jit.tensor<[?,8,?,?],f32>, !jit.tensor<[4,8,3,3],f32>, !jit.none, !jit.list<i64>, !jit.list<i64>, !jit.list<i64>, i1, !jit.list<i64>, i64) -> !jit.tensor<[?,4,?,?],f32>
  return %r : !jit.tensor<[?,4,?,?],f32>
}

// -----

// Where each group has one channel there are plain loops.
// CHECK-LABEL: func.func @depthwise(
// CHECK-NOT: scf.for
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<?x8x1x?xf32>)
func.func @depthwise(%x: !jit.tensor<[?,8,?],f32>, %w: !jit.tensor<[8,1,3],f32>) -> !jit.tensor<[?,8,?],f32> attributes {jit.symbolic} {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %8 = arith.constant 8 : i64
  %no = arith.constant false
  %none = jit.constant !jit.none = unit
  %zeros = jit.list %0 : (i64) -> !jit.list<i64>
  %ones = jit.list %1 : (i64) -> !jit.list<i64>
  %r = aten.convolution %x, %w, %none, %ones, %ones, %ones, %no, %zeros, %8 : (!jit.tensor<[?,8,?],f32>, !jit.tensor<[8,1,3],f32>, !jit.none, !jit.list<i64>, !jit.list<i64>, !jit.list<i64>, i1, !jit.list<i64>, i64) -> !jit.tensor<[?,8,?],f32>
  return %r : !jit.tensor<[?,8,?],f32>
}

// -----

// The zeros between the elements of a transposed convolution's input are as many as the call tells.
// CHECK-LABEL: func.func @transposed(
// CHECK: tensor.insert_slice %arg0 into %{{.*}}[0, 0, 0] [%{{.*}}, 8, %{{.*}}] [1, 1, 2]
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<?x1x3x8xf32>)
func.func @transposed(%x: !jit.tensor<[?,8,?],f32>, %w: !jit.tensor<[8,4,3],f32>) -> !jit.tensor<[?,4,?],f32> attributes {jit.symbolic} {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %2 = arith.constant 2 : i64
  %yes = arith.constant true
  %none = jit.constant !jit.none = unit
  %zeros = jit.list %0 : (i64) -> !jit.list<i64>
  %ones = jit.list %1 : (i64) -> !jit.list<i64>
  %twos = jit.list %2 : (i64) -> !jit.list<i64>
  %r = aten.convolution %x, %w, %none, %twos, %ones, %ones, %yes, %zeros, %1 : (!jit.tensor<[?,8,?],f32>, !jit.tensor<[8,4,3],f32>, !jit.none, !jit.list<i64>, !jit.list<i64>, !jit.list<i64>, i1, !jit.list<i64>, i64) -> !jit.tensor<[?,4,?],f32>
  return %r : !jit.tensor<[?,4,?],f32>
}
