// RUN: jit-opt %s --split-input-file --jit-batch-products="max-columns=128 min-depth=32 min-rows=16" 2>&1 | FileCheck %s

// CHECK-NOT: error:

// A bias of one number is added to all columns of its own product alone, and None is no bias that could lie beside one.

// CHECK-LABEL: func.func @one_number
// CHECK-COUNT-3: aten.linear
//   CHECK-NOT: aten.slice.Tensor
//       CHECK: return
func.func @one_number(%x: !jit.tensor<[32,64],f32>, %q: !jit.tensor<[16,64],f32>, %k: !jit.tensor<[8,64],f32>, %b: !jit.tensor<[1],f32>, %c: !jit.tensor<[1],f32>)
    -> (!jit.tensor<[32,16],f32>, !jit.tensor<[32,8],f32>, !jit.tensor<[32,8],f32>) {
  %0 = aten.linear %x, %q, %b : (!jit.tensor<[32,64],f32>, !jit.tensor<[16,64],f32>, !jit.tensor<[1],f32>) -> !jit.tensor<[32,16],f32>
  %1 = aten.linear %x, %k, %c : (!jit.tensor<[32,64],f32>, !jit.tensor<[8,64],f32>, !jit.tensor<[1],f32>) -> !jit.tensor<[32,8],f32>
  %2 = aten.linear %x, %k, %b : (!jit.tensor<[32,64],f32>, !jit.tensor<[8,64],f32>, !jit.tensor<[1],f32>) -> !jit.tensor<[32,8],f32>
  return %0, %1, %2 : !jit.tensor<[32,16],f32>, !jit.tensor<[32,8],f32>, !jit.tensor<[32,8],f32>
}

// -----

// CHECK-LABEL: func.func @scalars
// CHECK-COUNT-2: aten.linear
//   CHECK-NOT: aten.slice.Tensor
//       CHECK: return
func.func @scalars(%x: !jit.tensor<[32,64],f32>, %q: !jit.tensor<[1,64],f32>, %k: !jit.tensor<[1,64],f32>, %b: !jit.tensor<[],f32>, %c: !jit.tensor<[],f32>)
    -> (!jit.tensor<[32,1],f32>, !jit.tensor<[32,1],f32>) {
  %0 = aten.linear %x, %q, %b : (!jit.tensor<[32,64],f32>, !jit.tensor<[1,64],f32>, !jit.tensor<[],f32>) -> !jit.tensor<[32,1],f32>
  %1 = aten.linear %x, %k, %c : (!jit.tensor<[32,64],f32>, !jit.tensor<[1,64],f32>, !jit.tensor<[],f32>) -> !jit.tensor<[32,1],f32>
  return %0, %1 : !jit.tensor<[32,1],f32>, !jit.tensor<[32,1],f32>
}

// -----

// CHECK-LABEL: func.func @none
// CHECK-COUNT-2: aten.linear
//   CHECK-NOT: aten.slice.Tensor
//       CHECK: return
func.func @none(%x: !jit.tensor<[32,64],f32>, %q: !jit.tensor<[16,64],f32>, %k: !jit.tensor<[8,64],f32>, %b: !jit.tensor<[16],f32>)
    -> (!jit.tensor<[32,16],f32>, !jit.tensor<[32,8],f32>) {
  %none = jit.constant !jit.none = unit
  %0 = aten.linear %x, %q, %b : (!jit.tensor<[32,64],f32>, !jit.tensor<[16,64],f32>, !jit.tensor<[16],f32>) -> !jit.tensor<[32,16],f32>
  %1 = aten.linear %x, %k, %none : (!jit.tensor<[32,64],f32>, !jit.tensor<[8,64],f32>, !jit.none) -> !jit.tensor<[32,8],f32>
  return %0, %1 : !jit.tensor<[32,16],f32>, !jit.tensor<[32,8],f32>
}

// -----

// CHECK-LABEL: func.func @none_first
// CHECK-COUNT-4: aten.linear
//   CHECK-NOT: aten.slice.Tensor
//       CHECK: return
func.func @none_first(%x: !jit.tensor<[32,64],f32>, %y: !jit.tensor<[32,64],f32>, %q: !jit.tensor<[16,64],f32>, %k: !jit.tensor<[8,64],f32>, %b: !jit.tensor<[8],f32>, %c: !jit.tensor<[1],f32>)
    -> (!jit.tensor<[32,16],f32>, !jit.tensor<[32,8],f32>, !jit.tensor<[32,8],f32>, !jit.tensor<[32,8],f32>) {
  %none = jit.constant !jit.none = unit
  %0 = aten.linear %x, %q, %none : (!jit.tensor<[32,64],f32>, !jit.tensor<[16,64],f32>, !jit.none) -> !jit.tensor<[32,16],f32>
  %1 = aten.linear %x, %k, %b : (!jit.tensor<[32,64],f32>, !jit.tensor<[8,64],f32>, !jit.tensor<[8],f32>) -> !jit.tensor<[32,8],f32>
  %2 = aten.linear %y, %k, %b : (!jit.tensor<[32,64],f32>, !jit.tensor<[8,64],f32>, !jit.tensor<[8],f32>) -> !jit.tensor<[32,8],f32>
  %3 = aten.linear %y, %k, %c : (!jit.tensor<[32,64],f32>, !jit.tensor<[8,64],f32>, !jit.tensor<[1],f32>) -> !jit.tensor<[32,8],f32>
  return %0, %1, %2, %3 : !jit.tensor<[32,16],f32>, !jit.tensor<[32,8],f32>, !jit.tensor<[32,8],f32>, !jit.tensor<[32,8],f32>
}

// -----

// Two inputs of one weight: their rows lie under each other, and have one bias, or two products.

// CHECK-LABEL: func.func @shared_weight
//       CHECK: aten.linear %{{.*}} -> !jit.tensor<[48,16],f32>
//       CHECK: aten.linear %{{.*}} -> !jit.tensor<[32,16],f32>
//   CHECK-NOT: aten.linear
//       CHECK: return
func.func @shared_weight(%x: !jit.tensor<[32,64],f32>, %y: !jit.tensor<[16,64],f32>, %z: !jit.tensor<[32,64],f32>, %w: !jit.tensor<[16,64],f32>, %b: !jit.tensor<[16],f32>, %c: !jit.tensor<[16],f32>)
    -> (!jit.tensor<[32,16],f32>, !jit.tensor<[16,16],f32>, !jit.tensor<[32,16],f32>) {
  %0 = aten.linear %x, %w, %b : (!jit.tensor<[32,64],f32>, !jit.tensor<[16,64],f32>, !jit.tensor<[16],f32>) -> !jit.tensor<[32,16],f32>
  %1 = aten.linear %y, %w, %b : (!jit.tensor<[16,64],f32>, !jit.tensor<[16,64],f32>, !jit.tensor<[16],f32>) -> !jit.tensor<[16,16],f32>
  %2 = aten.linear %z, %w, %c : (!jit.tensor<[32,64],f32>, !jit.tensor<[16,64],f32>, !jit.tensor<[16],f32>) -> !jit.tensor<[32,16],f32>
  return %0, %1, %2 : !jit.tensor<[32,16],f32>, !jit.tensor<[16,16],f32>, !jit.tensor<[32,16],f32>
}

// -----

// Nor are the rows of a bias that are as many as those of one input.

// CHECK-LABEL: func.func @bias_of_rows
//   CHECK-NOT: aten.cat
//       CHECK: return
func.func @bias_of_rows(%x: !jit.tensor<[32,64],f32>, %y: !jit.tensor<[32,64],f32>, %w: !jit.tensor<[16,64],f32>, %b: !jit.tensor<[32,16],f32>)
    -> (!jit.tensor<[32,16],f32>, !jit.tensor<[32,16],f32>) {
  %0 = aten.linear %x, %w, %b : (!jit.tensor<[32,64],f32>, !jit.tensor<[16,64],f32>, !jit.tensor<[32,16],f32>) -> !jit.tensor<[32,16],f32>
  %1 = aten.linear %y, %w, %b : (!jit.tensor<[32,64],f32>, !jit.tensor<[16,64],f32>, !jit.tensor<[32,16],f32>) -> !jit.tensor<[32,16],f32>
  return %0, %1 : !jit.tensor<[32,16],f32>, !jit.tensor<[32,16],f32>
}
