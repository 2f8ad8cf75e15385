// RUN: jit-opt %s --jit-lower | FileCheck %s

// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (d0, 0)>
// CHECK-DAG: #[[COLUMN:.*]] = affine_map<(d0, d1) -> (d1)>

// Operands broadcast by their indexing maps; a number is captured.
// CHECK-LABEL: func.func @add(
// CHECK-SAME: %{{.*}}: tensor<2x1xf32>, %{{.*}}: tensor<3xf32>) -> tensor<2x3xf32>
// CHECK: linalg.generic {indexing_maps = [#[[ROW]], #[[COLUMN]], #{{.*}}], iterator_types = ["parallel", "parallel"]}
// CHECK: %[[SCALED:.*]] = arith.mulf %{{.*}}, %cst
// CHECK: arith.addf %{{.*}}, %[[SCALED]] : f32
func.func @add(%a: !jit.tensor<[2,1],f32>, %b: !jit.tensor<[3],f32>) -> !jit.tensor<[2,3],f32> {
  %two = arith.constant 2 : i64
  %r = aten.add.Tensor %a, %b, %two : (!jit.tensor<[2,1],f32>, !jit.tensor<[3],f32>, i64) -> !jit.tensor<[2,3],f32>
  return %r : !jit.tensor<[2,3],f32>
}

// Elements of uint8 are signless; the attribute says so.
// CHECK-LABEL: func.func @predicate(
// CHECK-SAME: %{{.*}}: tensor<4xi8> {jit.dtype = 0 : i64}) -> tensor<4xi1>
// CHECK: arith.cmpi eq, %{{.*}}, %{{.*}} : i8
func.func @predicate(%a: !jit.tensor<[4],ui8>) -> !jit.tensor<[4],i1> {
  %r = aten.eq.Tensor %a, %a : (!jit.tensor<[4],ui8>, !jit.tensor<[4],ui8>) -> !jit.tensor<[4],i1>
  return %r : !jit.tensor<[4],i1>
}

// Half precision is computed in f32.
// CHECK-LABEL: func.func @half(
// CHECK: arith.extf %{{.*}} : f16 to f32
// CHECK: math.tanh %{{.*}} : f32
// CHECK: arith.truncf %{{.*}} : f32 to f16
func.func @half(%a: !jit.tensor<[],f16>) -> !jit.tensor<[],f16> {
  %r = aten.tanh %a : (!jit.tensor<[],f16>) -> !jit.tensor<[],f16>
  return %r : !jit.tensor<[],f16>
}
