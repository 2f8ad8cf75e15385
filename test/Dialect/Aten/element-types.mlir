// RUN: jit-opt %s --jit-infer-types --jit-decompose --canonicalize | FileCheck %s

// What element types are promoted to is a number that is known where they are: 7 is float64, 6 float32, 15 bfloat16.
// CHECK-LABEL: func.func @promoted
//  CHECK-DAG:   %[[F64:.*]] = arith.constant 7 : i64
//  CHECK-DAG:   %[[F32:.*]] = arith.constant 6 : i64
//      CHECK:   return %[[F32]], %[[F64]], %[[F32]]
func.func @promoted(%x: !jit.tensor<[2],f16>, %y: !jit.tensor<[2],bf16>, %z: !jit.tensor<[],f64>) -> (i64, i64, i64) {
  %half = arith.constant 5 : i64
  %brain = arith.constant 15 : i64
  %double = arith.constant 7 : i64
  %0 = aten.promote_types %half, %brain : (i64, i64) -> i64
  %1 = aten.promote_types %half, %double : (i64, i64) -> i64
  %2 = aten.result_type.Tensor %x, %y : (!jit.tensor<[2],f16>, !jit.tensor<[2],bf16>) -> i64
  return %0, %1, %2 : i64, i64, i64
}

// A tensor without dimensions, or a number, widens no tensor of its own kind.
// CHECK-LABEL: func.func @kinds
//  CHECK-DAG:   %[[YES:.*]] = arith.constant true
//  CHECK-DAG:   %[[NO:.*]] = arith.constant false
//  CHECK-DAG:   %[[HALF:.*]] = arith.constant 5 : i64
//      CHECK:   return %[[HALF]], %[[HALF]], %[[YES]], %[[NO]]
func.func @kinds(%x: !jit.tensor<[2],f16>, %z: !jit.tensor<[],f64>) -> (i64, i64, i1, i1) {
  %number = arith.constant 2.5 : f64
  %long = arith.constant 4 : i64
  %half = arith.constant 5 : i64
  %0 = aten.result_type.Tensor %x, %z : (!jit.tensor<[2],f16>, !jit.tensor<[],f64>) -> i64
  %1 = aten.result_type.Scalar_Tensor %number, %x : (f64, !jit.tensor<[2],f16>) -> i64
  %2 = aten.can_cast %long, %half : (i64, i64) -> i1
  %3 = aten.can_cast %half, %long : (i64, i64) -> i1
  return %0, %1, %2, %3 : i64, i64, i1, i1
}
