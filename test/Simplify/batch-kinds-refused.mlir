// RUN: jit-opt %s --split-input-file --jit-batch-products="max-columns=16 min-depth=32 min-rows=16" | FileCheck %s

// The bias of addmm comes first; it is no product of its first two operands.

// CHECK-LABEL: func.func @bias_first
//   CHECK-NOT: aten.cat
//       CHECK: return
func.func @bias_first(%b: !jit.tensor<[16,64],f32>, %x: !jit.tensor<[16,64],f32>, %q: !jit.tensor<[64,64],f32>, %k: !jit.tensor<[64,64],f32>)
    -> (!jit.tensor<[16,64],f32>, !jit.tensor<[16,64],f32>) {
  %one = arith.constant 1 : i64
  %0 = aten.addmm %b, %x, %q, %one, %one : (!jit.tensor<[16,64],f32>, !jit.tensor<[16,64],f32>, !jit.tensor<[64,64],f32>, i64, i64) -> !jit.tensor<[16,64],f32>
  %1 = aten.addmm %b, %x, %k, %one, %one : (!jit.tensor<[16,64],f32>, !jit.tensor<[16,64],f32>, !jit.tensor<[64,64],f32>, i64, i64) -> !jit.tensor<[16,64],f32>
  return %0, %1 : !jit.tensor<[16,64],f32>, !jit.tensor<[16,64],f32>
}

// -----

// Products without columns, or of seventeen, one more than the limit; sixteen are batched.

// CHECK-LABEL: func.func @columns
//       CHECK: aten.mm %{{.*}} -> !jit.tensor<[32,0],f32>
//       CHECK: aten.mm %{{.*}} -> !jit.tensor<[32,0],f32>
//       CHECK: aten.mm %{{.*}} -> !jit.tensor<[32,17],f32>
//       CHECK: aten.mm %{{.*}} -> !jit.tensor<[32,17],f32>
//       CHECK: aten.mm %{{.*}} -> !jit.tensor<[32,32],f32>
//   CHECK-NOT: aten.mm
func.func @columns(%x: !jit.tensor<[32,64],f32>, %e: !jit.tensor<[64,0],f32>, %w: !jit.tensor<[64,17],f32>, %v: !jit.tensor<[64,16],f32>)
    -> (!jit.tensor<[32,0],f32>, !jit.tensor<[32,0],f32>, !jit.tensor<[32,17],f32>, !jit.tensor<[32,17],f32>, !jit.tensor<[32,16],f32>, !jit.tensor<[32,16],f32>) {
  %0 = aten.mm %x, %e : (!jit.tensor<[32,64],f32>, !jit.tensor<[64,0],f32>) -> !jit.tensor<[32,0],f32>
  %1 = aten.mm %x, %e : (!jit.tensor<[32,64],f32>, !jit.tensor<[64,0],f32>) -> !jit.tensor<[32,0],f32>
  %2 = aten.mm %x, %w : (!jit.tensor<[32,64],f32>, !jit.tensor<[64,17],f32>) -> !jit.tensor<[32,17],f32>
  %3 = aten.mm %x, %w : (!jit.tensor<[32,64],f32>, !jit.tensor<[64,17],f32>) -> !jit.tensor<[32,17],f32>
  %4 = aten.mm %x, %v : (!jit.tensor<[32,64],f32>, !jit.tensor<[64,16],f32>) -> !jit.tensor<[32,16],f32>
  %5 = aten.mm %x, %v : (!jit.tensor<[32,64],f32>, !jit.tensor<[64,16],f32>) -> !jit.tensor<[32,16],f32>
  return %0, %1, %2, %3, %4, %5 : !jit.tensor<[32,0],f32>, !jit.tensor<[32,0],f32>, !jit.tensor<[32,17],f32>, !jit.tensor<[32,17],f32>, !jit.tensor<[32,16],f32>, !jit.tensor<[32,16],f32>
}

// -----

// Of one weight: a product of few rows stays alone where the other has too many, and so do products of few columns; two of few
// rows are one, however many columns they have.

// CHECK-LABEL: func.func @rows
//       CHECK: aten.mm %{{.*}} -> !jit.tensor<[16,48],f32>
// CHECK-COUNT-4: aten.mm
//   CHECK-NOT: aten.mm
func.func @rows(%f: !jit.tensor<[8,64],f32>, %wide: !jit.tensor<[64,48],f32>, %x: !jit.tensor<[8,64],f32>, %y: !jit.tensor<[40,64],f32>, %w: !jit.tensor<[64,32],f32>, %z: !jit.tensor<[16,64],f32>, %v: !jit.tensor<[64,8],f32>)
    -> (!jit.tensor<[8,48],f32>, !jit.tensor<[8,48],f32>, !jit.tensor<[8,32],f32>, !jit.tensor<[40,32],f32>, !jit.tensor<[16,8],f32>, !jit.tensor<[16,8],f32>) {
  %4 = aten.mm %x, %wide : (!jit.tensor<[8,64],f32>, !jit.tensor<[64,48],f32>) -> !jit.tensor<[8,48],f32>
  %5 = aten.mm %f, %wide : (!jit.tensor<[8,64],f32>, !jit.tensor<[64,48],f32>) -> !jit.tensor<[8,48],f32>
  %0 = aten.mm %x, %w : (!jit.tensor<[8,64],f32>, !jit.tensor<[64,32],f32>) -> !jit.tensor<[8,32],f32>
  %1 = aten.mm %y, %w : (!jit.tensor<[40,64],f32>, !jit.tensor<[64,32],f32>) -> !jit.tensor<[40,32],f32>
  %exp = aten.exp %z : (!jit.tensor<[16,64],f32>) -> !jit.tensor<[16,64],f32>
  %2 = aten.mm %z, %v : (!jit.tensor<[16,64],f32>, !jit.tensor<[64,8],f32>) -> !jit.tensor<[16,8],f32>
  %3 = aten.mm %exp, %v : (!jit.tensor<[16,64],f32>, !jit.tensor<[64,8],f32>) -> !jit.tensor<[16,8],f32>
  return %4, %5, %0, %1, %2, %3 : !jit.tensor<[8,48],f32>, !jit.tensor<[8,48],f32>, !jit.tensor<[8,32],f32>, !jit.tensor<[40,32],f32>, !jit.tensor<[16,8],f32>, !jit.tensor<[16,8],f32>
}
