// RUN: jit-opt %s --split-input-file --jit-batch-products=min-summands=3 | FileCheck %s

// Sums of three products that are not one: one is added twice over, one is used elsewhere, one is of a row that is broadcast.

// CHECK-LABEL: func.func @scaled
//   CHECK-NOT: aten.cat
//       CHECK: return
func.func @scaled(%a: !jit.tensor<[32,2],f32>, %b: !jit.tensor<[2,32],f32>, %c: !jit.tensor<[32,2],f32>, %d: !jit.tensor<[2,32],f32>,
                  %e: !jit.tensor<[32,3],f32>, %f: !jit.tensor<[3,32],f32>) -> !jit.tensor<[32,32],f32> {
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %0 = aten.mm %a, %b : (!jit.tensor<[32,2],f32>, !jit.tensor<[2,32],f32>) -> !jit.tensor<[32,32],f32>
  %1 = aten.mm %c, %d : (!jit.tensor<[32,2],f32>, !jit.tensor<[2,32],f32>) -> !jit.tensor<[32,32],f32>
  %2 = aten.mm %e, %f : (!jit.tensor<[32,3],f32>, !jit.tensor<[3,32],f32>) -> !jit.tensor<[32,32],f32>
  %3 = aten.add.Tensor %0, %1, %two : (!jit.tensor<[32,32],f32>, !jit.tensor<[32,32],f32>, i64) -> !jit.tensor<[32,32],f32>
  %4 = aten.add.Tensor %3, %2, %one : (!jit.tensor<[32,32],f32>, !jit.tensor<[32,32],f32>, i64) -> !jit.tensor<[32,32],f32>
  return %4 : !jit.tensor<[32,32],f32>
}

// -----

// CHECK-LABEL: func.func @used
//   CHECK-NOT: aten.cat
//       CHECK: return
func.func @used(%a: !jit.tensor<[32,2],f32>, %b: !jit.tensor<[2,32],f32>, %c: !jit.tensor<[32,2],f32>, %d: !jit.tensor<[2,32],f32>,
                %e: !jit.tensor<[32,3],f32>, %f: !jit.tensor<[3,32],f32>) -> (!jit.tensor<[32,32],f32>, !jit.tensor<[32,32],f32>) {
  %one = arith.constant 1 : i64
  %0 = aten.mm %a, %b : (!jit.tensor<[32,2],f32>, !jit.tensor<[2,32],f32>) -> !jit.tensor<[32,32],f32>
  %1 = aten.mm %c, %d : (!jit.tensor<[32,2],f32>, !jit.tensor<[2,32],f32>) -> !jit.tensor<[32,32],f32>
  %2 = aten.mm %e, %f : (!jit.tensor<[32,3],f32>, !jit.tensor<[3,32],f32>) -> !jit.tensor<[32,32],f32>
  %3 = aten.add.Tensor %0, %1, %one : (!jit.tensor<[32,32],f32>, !jit.tensor<[32,32],f32>, i64) -> !jit.tensor<[32,32],f32>
  %4 = aten.add.Tensor %3, %2, %one : (!jit.tensor<[32,32],f32>, !jit.tensor<[32,32],f32>, i64) -> !jit.tensor<[32,32],f32>
  return %4, %0 : !jit.tensor<[32,32],f32>, !jit.tensor<[32,32],f32>
}

// -----

// CHECK-LABEL: func.func @broadcast
//   CHECK-NOT: aten.cat
//       CHECK: return
func.func @broadcast(%a: !jit.tensor<[32,2],f32>, %b: !jit.tensor<[2,32],f32>, %c: !jit.tensor<[32,2],f32>, %d: !jit.tensor<[2,32],f32>,
                     %e: !jit.tensor<[1,3],f32>, %f: !jit.tensor<[3,32],f32>) -> !jit.tensor<[32,32],f32> {
  %one = arith.constant 1 : i64
  %0 = aten.mm %a, %b : (!jit.tensor<[32,2],f32>, !jit.tensor<[2,32],f32>) -> !jit.tensor<[32,32],f32>
  %1 = aten.mm %c, %d : (!jit.tensor<[32,2],f32>, !jit.tensor<[2,32],f32>) -> !jit.tensor<[32,32],f32>
  %2 = aten.mm %e, %f : (!jit.tensor<[1,3],f32>, !jit.tensor<[3,32],f32>) -> !jit.tensor<[1,32],f32>
  %3 = aten.add.Tensor %0, %1, %one : (!jit.tensor<[32,32],f32>, !jit.tensor<[32,32],f32>, i64) -> !jit.tensor<[32,32],f32>
  %4 = aten.add.Tensor %3, %2, %one : (!jit.tensor<[32,32],f32>, !jit.tensor<[1,32],f32>, i64) -> !jit.tensor<[32,32],f32>
  return %4 : !jit.tensor<[32,32],f32>
}

// -----

// CHECK-LABEL: func.func @row_first
//   CHECK-NOT: aten.cat
//       CHECK: return
func.func @row_first(%a: !jit.tensor<[32,2],f32>, %b: !jit.tensor<[2,32],f32>, %e: !jit.tensor<[1,3],f32>, %f: !jit.tensor<[3,32],f32>) -> !jit.tensor<[32,32],f32> {
  %one = arith.constant 1 : i64
  %0 = aten.mm %a, %b : (!jit.tensor<[32,2],f32>, !jit.tensor<[2,32],f32>) -> !jit.tensor<[32,32],f32>
  %1 = aten.mm %a, %b : (!jit.tensor<[32,2],f32>, !jit.tensor<[2,32],f32>) -> !jit.tensor<[32,32],f32>
  %2 = aten.mm %e, %f : (!jit.tensor<[1,3],f32>, !jit.tensor<[3,32],f32>) -> !jit.tensor<[1,32],f32>
  %3 = aten.add.Tensor %0, %1, %one : (!jit.tensor<[32,32],f32>, !jit.tensor<[32,32],f32>, i64) -> !jit.tensor<[32,32],f32>
  %4 = aten.add.Tensor %2, %3, %one : (!jit.tensor<[1,32],f32>, !jit.tensor<[32,32],f32>, i64) -> !jit.tensor<[32,32],f32>
  return %4 : !jit.tensor<[32,32],f32>
}

// -----

// The greater one of a column and a row is no product of them.

// CHECK-LABEL: func.func @no_products
//   CHECK-NOT: aten.cat
//       CHECK: return
func.func @no_products(%a: !jit.tensor<[32,1],f32>, %b: !jit.tensor<[1,32],f32>) -> !jit.tensor<[32,32],f32> {
  %one = arith.constant 1 : i64
  %0 = aten.maximum %a, %b : (!jit.tensor<[32,1],f32>, !jit.tensor<[1,32],f32>) -> !jit.tensor<[32,32],f32>
  %1 = aten.maximum %a, %b : (!jit.tensor<[32,1],f32>, !jit.tensor<[1,32],f32>) -> !jit.tensor<[32,32],f32>
  %2 = aten.maximum %a, %b : (!jit.tensor<[32,1],f32>, !jit.tensor<[1,32],f32>) -> !jit.tensor<[32,32],f32>
  %3 = aten.add.Tensor %0, %1, %one : (!jit.tensor<[32,32],f32>, !jit.tensor<[32,32],f32>, i64) -> !jit.tensor<[32,32],f32>
  %4 = aten.add.Tensor %2, %3, %one : (!jit.tensor<[32,32],f32>, !jit.tensor<[32,32],f32>, i64) -> !jit.tensor<[32,32],f32>
  return %4 : !jit.tensor<[32,32],f32>
}

// -----

// Two are too few, and of deep products side by side more is copied than is added.

// CHECK-LABEL: func.func @not_worth
//   CHECK-NOT: aten.cat
//       CHECK: return
func.func @not_worth(%a: !jit.tensor<[32,2],f32>, %b: !jit.tensor<[2,32],f32>, %c: !jit.tensor<[4,64],f32>, %d: !jit.tensor<[64,4],f32>)
    -> (!jit.tensor<[32,32],f32>, !jit.tensor<[4,4],f32>) {
  %one = arith.constant 1 : i64
  %0 = aten.mm %a, %b : (!jit.tensor<[32,2],f32>, !jit.tensor<[2,32],f32>) -> !jit.tensor<[32,32],f32>
  %1 = aten.mm %a, %b : (!jit.tensor<[32,2],f32>, !jit.tensor<[2,32],f32>) -> !jit.tensor<[32,32],f32>
  %2 = aten.add.Tensor %0, %1, %one : (!jit.tensor<[32,32],f32>, !jit.tensor<[32,32],f32>, i64) -> !jit.tensor<[32,32],f32>
  %3 = aten.mm %c, %d : (!jit.tensor<[4,64],f32>, !jit.tensor<[64,4],f32>) -> !jit.tensor<[4,4],f32>
  %4 = aten.mm %c, %d : (!jit.tensor<[4,64],f32>, !jit.tensor<[64,4],f32>) -> !jit.tensor<[4,4],f32>
  %5 = aten.mm %c, %d : (!jit.tensor<[4,64],f32>, !jit.tensor<[64,4],f32>) -> !jit.tensor<[4,4],f32>
  %6 = aten.add.Tensor %3, %4, %one : (!jit.tensor<[4,4],f32>, !jit.tensor<[4,4],f32>, i64) -> !jit.tensor<[4,4],f32>
  %7 = aten.add.Tensor %6, %5, %one : (!jit.tensor<[4,4],f32>, !jit.tensor<[4,4],f32>, i64) -> !jit.tensor<[4,4],f32>
  return %2, %7 : !jit.tensor<[32,32],f32>, !jit.tensor<[4,4],f32>
}
