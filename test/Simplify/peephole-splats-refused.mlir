// RUN: jit-opt %s --split-input-file --jit-peephole --canonicalize | FileCheck %s

// A number that a tensor of another type has is not the number that a scalar operand is: 0.1 as f64 is no f32.

// CHECK-LABEL: func.func @other_type
//       CHECK: aten.mul.Tensor
//       CHECK: return
func.func @other_type(%x: !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32> {
  %double = arith.constant 7 : i64
  %number = arith.constant 0.1 : f64
  %none = jit.constant !jit.none = unit
  %sizes = jit.list : () -> !jit.list<i64>
  %splat = aten.full %sizes, %number, %double, %none, %none, %none : (!jit.list<i64>, f64, i64, !jit.none, !jit.none, !jit.none) -> !jit.tensor<[],f64>
  %0 = aten.mul.Tensor %x, %splat : (!jit.tensor<[4],f32>, !jit.tensor<[],f64>) -> !jit.tensor<[4],f32>
  return %0 : !jit.tensor<[4],f32>
}

// -----

// Integers stay tensors; of a sum with a factor only the second operand is scaled.

// CHECK-LABEL: func.func @kept
//  CHECK-SAME: (%[[X:.*]]: !jit.tensor<[4],f32>, %[[I:.*]]: !jit.tensor<[4],i64>)
//   CHECK-DAG: %[[THREE:.*]] = arith.constant 3 : i64
//   CHECK-DAG: %[[NUMBER:.*]] = arith.constant 1.000000e-01 : f64
//       CHECK: aten.add.Tensor %[[I]], %{{.*}}
//       CHECK: aten.add.Tensor %{{.*}}, %[[X]], %[[THREE]]
//       CHECK: aten.add.Scalar %[[X]], %[[NUMBER]], %[[THREE]]
func.func @kept(%x: !jit.tensor<[4],f32>, %i: !jit.tensor<[4],i64>) -> (!jit.tensor<[4],i64>, !jit.tensor<[4],f32>, !jit.tensor<[4],f32>) {
  %1 = arith.constant 1 : i64
  %3 = arith.constant 3 : i64
  %4 = arith.constant 4 : i64
  %long = arith.constant 4 : i64
  %single = arith.constant 6 : i64
  %number = arith.constant 0.1 : f64
  %none = jit.constant !jit.none = unit
  %row = jit.list %4 : (i64) -> !jit.list<i64>
  %whole = aten.full %row, %3, %long, %none, %none, %none : (!jit.list<i64>, i64, i64, !jit.none, !jit.none, !jit.none) -> !jit.tensor<[4],i64>
  %splat = aten.full %row, %number, %single, %none, %none, %none : (!jit.list<i64>, f64, i64, !jit.none, !jit.none, !jit.none) -> !jit.tensor<[4],f32>
  %a = aten.add.Tensor %i, %whole, %1 : (!jit.tensor<[4],i64>, !jit.tensor<[4],i64>, i64) -> !jit.tensor<[4],i64>
  %b = aten.add.Tensor %splat, %x, %3 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>, i64) -> !jit.tensor<[4],f32>
  %c = aten.add.Tensor %x, %splat, %3 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>, i64) -> !jit.tensor<[4],f32>
  return %a, %b, %c : !jit.tensor<[4],i64>, !jit.tensor<[4],f32>, !jit.tensor<[4],f32>
}

// -----

// A part of a tensor of one integer is filled with an integer. A part of unknown sizes stays a view.

// CHECK-LABEL: func.func @parts
//   CHECK-DAG: %[[THREE:.*]] = arith.constant 3 : i64
//       CHECK: aten.full %{{.*}}, %[[THREE]], {{.*}} -> !jit.tensor<[5],i64>
//       CHECK: aten.slice.Tensor
func.func @parts(%k: i64) -> (!jit.tensor<[5],i64>, !jit.tensor<[?,5],i64>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %2 = arith.constant 2 : i64
  %3 = arith.constant 3 : i64
  %5 = arith.constant 5 : i64
  %long = arith.constant 4 : i64
  %none = jit.constant !jit.none = unit
  %sizes = jit.list %2, %5 : (i64, i64) -> !jit.list<i64>
  %whole = aten.full %sizes, %3, %long, %none, %none, %none : (!jit.list<i64>, i64, i64, !jit.none, !jit.none, !jit.none) -> !jit.tensor<[2,5],i64>
  %a = aten.select.int %whole, %0, %k : (!jit.tensor<[2,5],i64>, i64, i64) -> !jit.tensor<[5],i64>
  %b = aten.slice.Tensor %whole, %0, %0, %k, %1 : (!jit.tensor<[2,5],i64>, i64, i64, i64, i64) -> !jit.tensor<[?,5],i64>
  return %a, %b : !jit.tensor<[5],i64>, !jit.tensor<[?,5],i64>
}
