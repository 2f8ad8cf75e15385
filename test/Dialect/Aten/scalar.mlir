// RUN: jit-opt %s --canonicalize | FileCheck %s

// A number that went through a tensor comes out as it went in.
// CHECK-LABEL: func.func @item_of_number
func.func @item_of_number(%n: i64) -> i64 {
  %t = aten.NumToTensor.Scalar %n : (i64) -> !jit.tensor<[],i64>
  %i = aten.item %t : (!jit.tensor<[],i64>) -> i64
  // CHECK-NEXT: return %arg0
  return %i : i64
}

// Arithmetic on such tensors, as traced programs have it for sizes, is arithmetic on numbers.
// CHECK-LABEL: func.func @item_of_product
func.func @item_of_product(%n: i64) -> i64 {
  %two = arith.constant 2 : i64
  %t = aten.NumToTensor.Scalar %n : (i64) -> !jit.tensor<[],i64>
  %p = aten.mul.Scalar %t, %two : (!jit.tensor<[],i64>, i64) -> !jit.tensor<[],i64>
  %i = aten.item %p : (!jit.tensor<[],i64>) -> i64
  // CHECK: %[[P:.*]] = arith.muli %arg0, %{{.*}} : i64
  // CHECK-NEXT: return %[[P]]
  return %i : i64
}

// The element type of the tensor decides what is left of a float.
// CHECK-LABEL: func.func @item_truncates
func.func @item_truncates() -> i64 {
  %x = arith.constant 2.75 : f64
  %none = jit.constant !jit.none = unit
  %false = arith.constant false
  %dtype = arith.constant 4 : i64
  %t = aten.tensor.float %x, %dtype, %none, %false : (f64, i64, !jit.none, i1) -> !jit.tensor<[],i64>
  %i = aten.item %t : (!jit.tensor<[],i64>) -> i64
  // CHECK-NEXT: %[[C:.*]] = arith.constant 2 : i64
  // CHECK-NEXT: return %[[C]]
  return %i : i64
}
