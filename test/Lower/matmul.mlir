// RUN: jit-opt %s --jit-lower | FileCheck %s

// CHECK-DAG: #[[ONE_BATCH:.*]] = affine_map<(d0, d1, d2, d3) -> (0, d1, d3)>
// CHECK-DAG: #[[COLUMNS:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[ROWS:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>

// The weight of linear is read as it is, and the bias is where the sums start.
// CHECK-LABEL: func.func @linear(
// CHECK-SAME: %[[X:.*]]: tensor<2x4xf32>, %[[W:.*]]: tensor<3x4xf32>, %[[B:.*]]: tensor<3xf32>
// CHECK: %[[START:.*]] = linalg.generic {{.*}} ins(%[[B]] : tensor<3xf32>)
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[ROWS]], #{{.*}}], iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[X]], %[[W]] {{.*}} outs(%[[START]]
// CHECK: arith.mulf
// CHECK: arith.addf
func.func @linear(%x: !jit.tensor<[2,4],f32>, %w: !jit.tensor<[3,4],f32>, %b: !jit.tensor<[3],f32>) -> !jit.tensor<[2,3],f32> {
  %r = aten.linear %x, %w, %b : (!jit.tensor<[2,4],f32>, !jit.tensor<[3,4],f32>, !jit.tensor<[3],f32>) -> !jit.tensor<[2,3],f32>
  return %r : !jit.tensor<[2,3],f32>
}

// Batches broadcast in the indexing maps.
// CHECK-LABEL: func.func @matmul(
// CHECK: linalg.generic {indexing_maps = [#[[ONE_BATCH]]
func.func @matmul(%x: !jit.tensor<[1,2,4],f32>, %y: !jit.tensor<[5,4,3],f32>) -> !jit.tensor<[5,2,3],f32> {
  %r = aten.matmul %x, %y : (!jit.tensor<[1,2,4],f32>, !jit.tensor<[5,4,3],f32>) -> !jit.tensor<[5,2,3],f32>
  return %r : !jit.tensor<[5,2,3],f32>
}

// CHECK-LABEL: func.func @dot(
// CHECK: iterator_types = ["reduction"]
func.func @dot(%x: !jit.tensor<[4],f32>) -> !jit.tensor<[],f32> {
  %r = aten.matmul %x, %x : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[],f32>
  return %r : !jit.tensor<[],f32>
}

// CHECK-LABEL: func.func @scaled(
// CHECK: arith.mulf %{{.*}}, %cst
// CHECK: arith.addf
func.func @scaled(%s: !jit.tensor<[3],f32>, %x: !jit.tensor<[2,4],f32>, %y: !jit.tensor<[4,3],f32>) -> !jit.tensor<[2,3],f32> {
  %one = arith.constant 1 : i64
  %half = arith.constant 5.0e-01 : f64
  %r = aten.addmm %s, %x, %y, %one, %half : (!jit.tensor<[3],f32>, !jit.tensor<[2,4],f32>, !jit.tensor<[4,3],f32>, i64, f64) -> !jit.tensor<[2,3],f32>
  return %r : !jit.tensor<[2,3],f32>
}

// Bytes are widened where they are multiplied: unsigned ones by zeros.
// CHECK-LABEL: func.func @bytes(
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[COLUMNS]], #{{.*}} ins(%{{.*}}, %{{.*}} : tensor<2x4xi8>, tensor<4x3xi8>) outs(%{{.*}} : tensor<2x3xi32>)
// CHECK: arith.extui %{{.*}} : i8 to i32
// CHECK: arith.extsi %{{.*}} : i8 to i32
// CHECK: arith.muli
// CHECK: arith.addi
func.func @bytes(%x: !jit.tensor<[2,4],ui8>, %y: !jit.tensor<[4,3],i8>) -> !jit.tensor<[2,3],i32> {
  %r = aten._int_mm %x, %y : (!jit.tensor<[2,4],ui8>, !jit.tensor<[4,3],i8>) -> !jit.tensor<[2,3],i32>
  return %r : !jit.tensor<[2,3],i32>
}

// A weight that is turned is read as it lies in memory.
// CHECK-LABEL: func.func @turned_bytes(
// CHECK-SAME: %[[X:.*]]: tensor<2x4xi8>, %[[W:.*]]: tensor<3x4xi8>
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[ROWS]], #{{.*}} ins(%[[X]], %[[W]] :
func.func @turned_bytes(%x: !jit.tensor<[2,4],i8>, %w: !jit.tensor<[3,4],i8>) -> !jit.tensor<[2,3],i32> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %dims = jit.list %one, %zero : (i64, i64) -> !jit.list<i64>
  %y = aten.permute %w, %dims : (!jit.tensor<[3,4],i8>, !jit.list<i64>) -> !jit.tensor<[4,3],i8>
  %r = aten._int_mm %x, %y : (!jit.tensor<[2,4],i8>, !jit.tensor<[4,3],i8>) -> !jit.tensor<[2,3],i32>
  return %r : !jit.tensor<[2,3],i32>
}

// Halves are widened where they are multiplied, and the sums are not rounded.
// CHECK-LABEL: func.func @wide(
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<2x4xf16>, tensor<4x3xf16>) outs(%{{.*}} : tensor<2x3xf32>)
// CHECK-COUNT-2: arith.extf
// CHECK-NOT: arith.truncf
func.func @wide(%x: !jit.tensor<[2,4],f16>, %y: !jit.tensor<[4,3],f16>) -> !jit.tensor<[2,3],f32> {
  %r = aten._wide_matmul %x, %y : (!jit.tensor<[2,4],f16>, !jit.tensor<[4,3],f16>) -> !jit.tensor<[2,3],f32>
  return %r : !jit.tensor<[2,3],f32>
}
