// RUN: jit-opt %s --jit-infer-types --jit-decompose --cse --split-input-file | FileCheck %s

// Bytes of the input are multiplied with bytes of the weight; zeros and scales come in after the sums.
// CHECK-LABEL: func.func @bytes(
//  CHECK-SAME:   %[[X:.*]]: !jit.tensor<[?,3],f32>, %[[W:.*]]: !jit.tensor<[4,3],i8>, %[[S:.*]]: !jit.tensor<[4],f64>
//   CHECK-DAG:   aten.amin %[[X]]
//   CHECK-DAG:   aten.amax %[[X]]
//       CHECK:   %[[ZERO:.*]] = aten.round {{.*}} -> !jit.tensor<[],f64>
//       CHECK:   %[[BYTES:.*]] = aten.to.dtype {{.*}} -> !jit.tensor<[?,3],ui8>
//       CHECK:   %[[SUMS:.*]] = aten._int_mm %[[BYTES]], {{.*}} -> !jit.tensor<[?,4],i32>
//       CHECK:   %[[COLUMNS:.*]] = aten.sum.dim_IntList %[[W]]
//       CHECK:   aten.mul.Tensor %[[COLUMNS]], {{.*}} : (!jit.tensor<[4],i32>, !jit.tensor<[],i32>)
//       CHECK:   aten.sub.Tensor %[[SUMS]],
//       CHECK:   aten.to.dtype {{.*}} -> !jit.tensor<[?,4],f32>
//       CHECK:   aten.mul.Tensor {{.*}} -> !jit.tensor<[?,4],f32>
//       CHECK:   aten.add.Tensor {{.*}} -> !jit.tensor<[?,4],f32>
func.func @bytes(%x: !jit.tensor<[?,3],f32>, %w: !jit.tensor<[4,3],i8>, %s: !jit.tensor<[4],f64>, %b: !jit.tensor<[4],f32>) -> !jit.tensor {
  %none = jit.constant !jit.none = unit
  %p = jit.tuple %w, %s, %none, %b : (!jit.tensor<[4,3],i8>, !jit.tensor<[4],f64>, !jit.none, !jit.tensor<[4],f32>)
      -> !jit.tuple<!jit.tensor, !jit.optional<!jit.tensor>, !jit.optional<!jit.tensor>, !jit.optional<!jit.tensor>>
  %true = arith.constant true
  %y = aten.linear_dynamic %x, %p, %true : (!jit.tensor<[?,3],f32>,
      !jit.tuple<!jit.tensor, !jit.optional<!jit.tensor>, !jit.optional<!jit.tensor>, !jit.optional<!jit.tensor>>, i1) -> !jit.tensor
  return %y : !jit.tensor
}

// -----

// Zero points of weights count with the sums of the input's rows.
// CHECK-LABEL: func.func @zeros(
//       CHECK:   %[[SUMS:.*]] = aten._int_mm %[[BYTES:[0-9]+]], {{.*}} -> !jit.tensor<[2,4],i32>
//       CHECK:   %[[ROWS:.*]] = aten.sum.dim_IntList %[[BYTES]], {{.*}} -> !jit.tensor<[2,1],i32>
//       CHECK:   aten.mul.Tensor %[[ROWS]], {{.*}} : (!jit.tensor<[2,1],i32>, !jit.tensor<[],i32>)
//   CHECK-NOT:   aten.add.Tensor {{.*}} -> !jit.tensor<[2,4],f32>
//       CHECK:   aten.relu
func.func @zeros(%x: !jit.tensor<[2,3],f32>, %w: !jit.tensor<[4,3],i8>, %s: !jit.tensor<[],f64>, %z: !jit.tensor<[],i64>) -> !jit.tensor {
  %none = jit.constant !jit.none = unit
  %p = jit.tuple %w, %s, %z, %none : (!jit.tensor<[4,3],i8>, !jit.tensor<[],f64>, !jit.tensor<[],i64>, !jit.none)
      -> !jit.tuple<!jit.tensor, !jit.optional<!jit.tensor>, !jit.optional<!jit.tensor>, !jit.optional<!jit.tensor>>
  %false = arith.constant false
  %y = aten.linear_relu_dynamic %x, %p, %false : (!jit.tensor<[2,3],f32>,
      !jit.tuple<!jit.tensor, !jit.optional<!jit.tensor>, !jit.optional<!jit.tensor>, !jit.optional<!jit.tensor>>, i1) -> !jit.tensor
  return %y : !jit.tensor
}

// -----

// A weight of floats, and an input without elements, which has no range.
// CHECK-LABEL: func.func @floats(
//   CHECK-NOT:   aten._int_mm
//       CHECK:   aten.linear {{.*}} -> !jit.tensor<[2,4],f32>
//       CHECK:   aten.linear {{.*}} -> !jit.tensor<[0,4],f32>
func.func @floats(%x: !jit.tensor<[2,3],f32>, %e: !jit.tensor<[0,3],f32>, %w: !jit.tensor<[4,3],f16>, %v: !jit.tensor<[4,3],i8>,
                  %s: !jit.tensor<[],f64>) -> (!jit.tensor, !jit.tensor) {
  %none = jit.constant !jit.none = unit
  %p = jit.tuple %w, %none, %none, %none : (!jit.tensor<[4,3],f16>, !jit.none, !jit.none, !jit.none)
      -> !jit.tuple<!jit.tensor, !jit.optional<!jit.tensor>, !jit.optional<!jit.tensor>, !jit.optional<!jit.tensor>>
  %q = jit.tuple %v, %s, %none, %none : (!jit.tensor<[4,3],i8>, !jit.tensor<[],f64>, !jit.none, !jit.none)
      -> !jit.tuple<!jit.tensor, !jit.optional<!jit.tensor>, !jit.optional<!jit.tensor>, !jit.optional<!jit.tensor>>
  %true = arith.constant true
  %y = aten.linear_dynamic_fp16 %x, %p : (!jit.tensor<[2,3],f32>,
      !jit.tuple<!jit.tensor, !jit.optional<!jit.tensor>, !jit.optional<!jit.tensor>, !jit.optional<!jit.tensor>>) -> !jit.tensor
  %z = aten.linear_dynamic %e, %q, %true : (!jit.tensor<[0,3],f32>,
      !jit.tuple<!jit.tensor, !jit.optional<!jit.tensor>, !jit.optional<!jit.tensor>, !jit.optional<!jit.tensor>>, i1) -> !jit.tensor
  return %y, %z : !jit.tensor, !jit.tensor
}
