// RUN: jit-opt %s --split-input-file --jit-batch-products="max-columns=128 min-depth=32 min-rows=16" | FileCheck %s

// Of one input: a product of another kind, one with few rows, and one whose weight is made after the first.

// CHECK-LABEL: func.func @apart
//   CHECK-NOT: aten.cat
//       CHECK: return
func.func @apart(%x: !jit.tensor<[32,64],f32>, %few: !jit.tensor<[8,64],f32>, %q: !jit.tensor<[64,64],f32>, %k: !jit.tensor<[64,64],f32>,
                 %m: !jit.tensor<[64,64],f32>, %n: !jit.tensor<[64,64],f32>)
    -> (!jit.tensor<[32,64],f32>, !jit.tensor<[32,64],f32>, !jit.tensor<[32,64],f32>, !jit.tensor<[8,64],f32>, !jit.tensor<[8,64],f32>) {
  %none = jit.constant !jit.none = unit
  %0 = aten.mm %x, %q : (!jit.tensor<[32,64],f32>, !jit.tensor<[64,64],f32>) -> !jit.tensor<[32,64],f32>
  %1 = aten.linear %x, %k, %none : (!jit.tensor<[32,64],f32>, !jit.tensor<[64,64],f32>, !jit.none) -> !jit.tensor<[32,64],f32>
  %late = aten.exp %q : (!jit.tensor<[64,64],f32>) -> !jit.tensor<[64,64],f32>
  %turned = aten.t %late : (!jit.tensor<[64,64],f32>) -> !jit.tensor<[64,64],f32>
  %2 = aten.mm %x, %turned : (!jit.tensor<[32,64],f32>, !jit.tensor<[64,64],f32>) -> !jit.tensor<[32,64],f32>
  %3 = aten.mm %few, %m : (!jit.tensor<[8,64],f32>, !jit.tensor<[64,64],f32>) -> !jit.tensor<[8,64],f32>
  %4 = aten.mm %few, %n : (!jit.tensor<[8,64],f32>, !jit.tensor<[64,64],f32>) -> !jit.tensor<[8,64],f32>
  return %0, %1, %2, %3, %4 : !jit.tensor<[32,64],f32>, !jit.tensor<[32,64],f32>, !jit.tensor<[32,64],f32>, !jit.tensor<[8,64],f32>, !jit.tensor<[8,64],f32>
}

// -----

// Batches of matrices, and products of a matrix and a vector.

// CHECK-LABEL: func.func @no_matrices
//   CHECK-NOT: aten.cat
//       CHECK: return
func.func @no_matrices(%x: !jit.tensor<[2,32,64],f32>, %m: !jit.tensor<[64,64],f32>, %q: !jit.tensor<[64,64],f32>, %k: !jit.tensor<[64,64],f32>, %v: !jit.tensor<[64],f32>, %w: !jit.tensor<[64],f32>)
    -> (!jit.tensor<[2,32,64],f32>, !jit.tensor<[2,32,64],f32>, !jit.tensor<[64],f32>, !jit.tensor<[64],f32>) {
  %0 = aten.matmul %x, %q : (!jit.tensor<[2,32,64],f32>, !jit.tensor<[64,64],f32>) -> !jit.tensor<[2,32,64],f32>
  %1 = aten.matmul %x, %k : (!jit.tensor<[2,32,64],f32>, !jit.tensor<[64,64],f32>) -> !jit.tensor<[2,32,64],f32>
  %2 = aten.matmul %m, %v : (!jit.tensor<[64,64],f32>, !jit.tensor<[64],f32>) -> !jit.tensor<[64],f32>
  %3 = aten.matmul %m, %w : (!jit.tensor<[64,64],f32>, !jit.tensor<[64],f32>) -> !jit.tensor<[64],f32>
  return %0, %1, %2, %3 : !jit.tensor<[2,32,64],f32>, !jit.tensor<[2,32,64],f32>, !jit.tensor<[64],f32>, !jit.tensor<[64],f32>
}

// -----

// In the ways of a branch, of which one runs.

// CHECK-LABEL: func.func @ways
//   CHECK-NOT: aten.cat
//       CHECK: return
func.func @ways(%x: !jit.tensor<[32,64],f32>, %q: !jit.tensor<[64,64],f32>, %k: !jit.tensor<[64,64],f32>, %is: i1) -> !jit.tensor<[32,64],f32> {
  %r = scf.if %is -> !jit.tensor<[32,64],f32> {
    %0 = aten.mm %x, %q : (!jit.tensor<[32,64],f32>, !jit.tensor<[64,64],f32>) -> !jit.tensor<[32,64],f32>
    scf.yield %0 : !jit.tensor<[32,64],f32>
  } else {
    %1 = aten.mm %x, %k : (!jit.tensor<[32,64],f32>, !jit.tensor<[64,64],f32>) -> !jit.tensor<[32,64],f32>
    scf.yield %1 : !jit.tensor<[32,64],f32>
  }
  return %r : !jit.tensor<[32,64],f32>
}
