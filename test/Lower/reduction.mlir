// RUN: jit-opt %s --jit-lower | FileCheck %s

// CHECK-DAG: #[[ALL:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[ROWS:.*]] = affine_map<(d0, d1) -> (d0)>

// Halves are summed in f32.
// CHECK-LABEL: func.func @sum(
// CHECK: linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<2xf32>)
// CHECK: linalg.generic {indexing_maps = [#[[ALL]], #[[ROWS]]], iterator_types = ["parallel", "reduction"]}
// CHECK: arith.extf
// CHECK: arith.truncf
// CHECK: tensor.expand_shape %{{.*}} : tensor<2xf16> into tensor<2x1xf16>
func.func @sum(%x: !jit.tensor<[2,3],f16>) -> !jit.tensor<[2,1],f16> {
  %last = arith.constant -1 : i64
  %dims = jit.list %last : (i64) -> !jit.list<i64>
  %keep = arith.constant true
  %none = jit.constant !jit.none = unit
  %r = aten.sum.dim_IntList %x, %dims, %keep, %none : (!jit.tensor<[2,3],f16>, !jit.list<i64>, i1, !jit.none) -> !jit.tensor<[2,1],f16>
  return %r : !jit.tensor<[2,1],f16>
}

// A mean is a sum divided by the number of elements.
// CHECK-LABEL: func.func @mean(
// CHECK: linalg.generic {{.*}}iterator_types = ["reduction", "reduction"]
// CHECK: arith.divf %{{.*}}, %cst{{.*}} : f32
func.func @mean(%x: !jit.tensor<[2,3],f32>) -> !jit.tensor<[],f32> {
  %none = jit.constant !jit.none = unit
  %r = aten.mean %x, %none : (!jit.tensor<[2,3],f32>, !jit.none) -> !jit.tensor<[],f32>
  return %r : !jit.tensor<[],f32>
}

// CHECK-LABEL: func.func @softmax(
// CHECK: arith.maximumf
// CHECK: arith.subf
// CHECK: math.exp
// CHECK: arith.addf
// CHECK: arith.divf
func.func @softmax(%x: !jit.tensor<[2,3],f32>) -> !jit.tensor<[2,3],f32> {
  %last = arith.constant -1 : i64
  %none = jit.constant !jit.none = unit
  %r = aten.softmax.int %x, %last, %none : (!jit.tensor<[2,3],f32>, i64, !jit.none) -> !jit.tensor<[2,3],f32>
  return %r : !jit.tensor<[2,3],f32>
}

// CHECK-LABEL: func.func @argmax(
// CHECK: tensor.collapse_shape %{{.*}} : tensor<2x3xf32> into tensor<6xf32>
// CHECK: linalg.index 0
// CHECK: arith.cmpf une
func.func @argmax(%x: !jit.tensor<[2,3],f32>) -> !jit.tensor<[],i64> {
  %keep = arith.constant false
  %none = jit.constant !jit.none = unit
  %r = aten.argmax %x, %none, %keep : (!jit.tensor<[2,3],f32>, !jit.none, i1) -> !jit.tensor<[],i64>
  return %r : !jit.tensor<[],i64>
}

// CHECK-LABEL: func.func @cumsum(
// CHECK: scf.for
// CHECK: tensor.extract_slice
// CHECK: tensor.insert_slice
func.func @cumsum(%x: !jit.tensor<[2,3],f32>) -> !jit.tensor<[2,3],f32> {
  %dim = arith.constant 0 : i64
  %none = jit.constant !jit.none = unit
  %r = aten.cumsum %x, %dim, %none : (!jit.tensor<[2,3],f32>, i64, !jit.none) -> !jit.tensor<[2,3],f32>
  return %r : !jit.tensor<[2,3],f32>
}
