// RUN: jit-opt %s --split-input-file --jit-batch-products="max-columns=128 min-depth=32 min-rows=16 min-summands=2" | FileCheck %s

// Nothing is batched where sizes are not known: of the input, of a weight, of a bias, of the result.

// CHECK-LABEL: func.func @operands
//   CHECK-NOT: aten.cat
//       CHECK: return
func.func @operands(%x: !jit.tensor<[32,64],f32>, %open: !jit.tensor<[?,64],f32>, %q: !jit.tensor<[64,16],f32>, %k: !jit.tensor<[64,16],f32>, %u: !jit.tensor<[64,?],f32>)
    -> (!jit.tensor<[?,16],f32>, !jit.tensor<[?,16],f32>, !jit.tensor<[32,?],f32>, !jit.tensor<[32,?],f32>) {
  %0 = aten.mm %open, %q : (!jit.tensor<[?,64],f32>, !jit.tensor<[64,16],f32>) -> !jit.tensor<[?,16],f32>
  %1 = aten.mm %open, %k : (!jit.tensor<[?,64],f32>, !jit.tensor<[64,16],f32>) -> !jit.tensor<[?,16],f32>
  %2 = aten.mm %x, %u : (!jit.tensor<[32,64],f32>, !jit.tensor<[64,?],f32>) -> !jit.tensor<[32,?],f32>
  %3 = aten.mm %x, %u : (!jit.tensor<[32,64],f32>, !jit.tensor<[64,?],f32>) -> !jit.tensor<[32,?],f32>
  return %0, %1, %2, %3 : !jit.tensor<[?,16],f32>, !jit.tensor<[?,16],f32>, !jit.tensor<[32,?],f32>, !jit.tensor<[32,?],f32>
}

// -----

// CHECK-LABEL: func.func @depths
//   CHECK-NOT: aten.cat
//       CHECK: return
func.func @depths(%x: !jit.tensor<[32,64],f32>, %u: !jit.tensor<[32,?],f32>, %v: !jit.tensor<[?,16],f32>, %q: !jit.tensor<[64,16],f32>)
    -> (!jit.tensor<[32,16],f32>, !jit.tensor<[32,16],f32>, !jit.tensor<[32,16],f32>, !jit.tensor<[32,16],f32>) {
  %0 = aten.mm %u, %q : (!jit.tensor<[32,?],f32>, !jit.tensor<[64,16],f32>) -> !jit.tensor<[32,16],f32>
  %1 = aten.mm %u, %q : (!jit.tensor<[32,?],f32>, !jit.tensor<[64,16],f32>) -> !jit.tensor<[32,16],f32>
  %2 = aten.mm %x, %v : (!jit.tensor<[32,64],f32>, !jit.tensor<[?,16],f32>) -> !jit.tensor<[32,16],f32>
  %3 = aten.mm %x, %v : (!jit.tensor<[32,64],f32>, !jit.tensor<[?,16],f32>) -> !jit.tensor<[32,16],f32>
  return %0, %1, %2, %3 : !jit.tensor<[32,16],f32>, !jit.tensor<[32,16],f32>, !jit.tensor<[32,16],f32>, !jit.tensor<[32,16],f32>
}

// -----

// CHECK-LABEL: func.func @biases
//   CHECK-NOT: aten.cat
//       CHECK: return
func.func @biases(%x: !jit.tensor<[32,64],f32>, %q: !jit.tensor<[16,64],f32>, %k: !jit.tensor<[16,64],f32>, %b: !jit.tensor<[?],f32>)
    -> (!jit.tensor<[32,16],f32>, !jit.tensor<[32,16],f32>) {
  %0 = aten.linear %x, %q, %b : (!jit.tensor<[32,64],f32>, !jit.tensor<[16,64],f32>, !jit.tensor<[?],f32>) -> !jit.tensor<[32,16],f32>
  %1 = aten.linear %x, %k, %b : (!jit.tensor<[32,64],f32>, !jit.tensor<[16,64],f32>, !jit.tensor<[?],f32>) -> !jit.tensor<[32,16],f32>
  return %0, %1 : !jit.tensor<[32,16],f32>, !jit.tensor<[32,16],f32>
}

// -----

// CHECK-LABEL: func.func @results
//   CHECK-NOT: aten.cat
//       CHECK: return
func.func @results(%x: !jit.tensor<[32,64],f32>, %q: !jit.tensor<[64,16],f32>, %k: !jit.tensor<[64,16],f32>)
    -> (!jit.tensor<*,f32>, !jit.tensor<*,f32>) {
  %0 = aten.mm %x, %q : (!jit.tensor<[32,64],f32>, !jit.tensor<[64,16],f32>) -> !jit.tensor<*,f32>
  %1 = aten.mm %x, %k : (!jit.tensor<[32,64],f32>, !jit.tensor<[64,16],f32>) -> !jit.tensor<*,f32>
  return %0, %1 : !jit.tensor<*,f32>, !jit.tensor<*,f32>
}

// -----

// CHECK-LABEL: func.func @sums
//   CHECK-NOT: aten.cat
//       CHECK: return
func.func @sums(%x: !jit.tensor<[32,2],f32>, %q: !jit.tensor<[2,?],f32>, %k: !jit.tensor<[2,?],f32>) -> !jit.tensor<[32,?],f32> {
  %one = arith.constant 1 : i64
  %0 = aten.mm %x, %q : (!jit.tensor<[32,2],f32>, !jit.tensor<[2,?],f32>) -> !jit.tensor<[32,?],f32>
  %1 = aten.mm %x, %k : (!jit.tensor<[32,2],f32>, !jit.tensor<[2,?],f32>) -> !jit.tensor<[32,?],f32>
  %2 = aten.add.Tensor %0, %1, %one : (!jit.tensor<[32,?],f32>, !jit.tensor<[32,?],f32>, i64) -> !jit.tensor<[32,?],f32>
  return %2 : !jit.tensor<[32,?],f32>
}
