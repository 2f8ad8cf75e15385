// RUN: jit-opt %s --split-input-file --jit-batch-products="max-columns=128 min-depth=32 min-rows=16" --canonicalize | FileCheck %s
// RUN: jit-opt %s --split-input-file --jit-batch-products="max-columns=128 min-depth=65 min-rows=16" | FileCheck %s --check-prefix=SHORT

// Query, key and value of one input: one product with the weights side by side.

// CHECK-LABEL: func.func @shared_input
//  CHECK-SAME: (%[[X:.*]]: !jit.tensor<[32,64],f32>, %[[Q:.*]]: !jit.tensor<[16,64],f32>, %[[K:.*]]: !jit.tensor<[8,64],f32>, %[[B:.*]]: !jit.tensor<[16],f32>, %[[C:.*]]: !jit.tensor<[8],f32>)
//       CHECK: %[[WS:.*]] = jit.list %[[Q]], %[[K]]
//       CHECK: %[[W:.*]] = aten.cat %[[WS]]
//       CHECK: %[[BS:.*]] = jit.list %[[B]], %[[C]]
//       CHECK: %[[BIAS:.*]] = aten.cat %[[BS]]
//       CHECK: %[[ALL:.*]] = aten.linear %[[X]], %[[W]], %[[BIAS]] {{.*}} -> !jit.tensor<[32,24],f32>
//   CHECK-NOT: aten.linear
//       CHECK: %[[R:.*]] = aten.slice.Tensor %[[ALL]], {{.*}} -> !jit.tensor<[32,16],f32>
//       CHECK: %[[S:.*]] = aten.slice.Tensor %[[ALL]], {{.*}} -> !jit.tensor<[32,8],f32>
//       CHECK: return %[[R]], %[[S]]
func.func @shared_input(%x: !jit.tensor<[32,64],f32>, %q: !jit.tensor<[16,64],f32>, %k: !jit.tensor<[8,64],f32>,
                        %b: !jit.tensor<[16],f32>, %c: !jit.tensor<[8],f32>) -> (!jit.tensor<[32,16],f32>, !jit.tensor<[32,8],f32>) {
  %0 = aten.linear %x, %q, %b : (!jit.tensor<[32,64],f32>, !jit.tensor<[16,64],f32>, !jit.tensor<[16],f32>) -> !jit.tensor<[32,16],f32>
  %1 = aten.linear %x, %k, %c : (!jit.tensor<[32,64],f32>, !jit.tensor<[8,64],f32>, !jit.tensor<[8],f32>) -> !jit.tensor<[32,8],f32>
  return %0, %1 : !jit.tensor<[32,16],f32>, !jit.tensor<[32,8],f32>
}

// -----

// One weight for two inputs.

// CHECK-LABEL: func.func @shared_weight
// SHORT-LABEL: func.func @shared_weight
//   SHORT-NOT: aten.cat
//       SHORT: return
//       CHECK: aten.mm %{{.*}} -> !jit.tensor<[12,32],f32>
//   CHECK-NOT: aten.mm
//       CHECK: return
func.func @shared_weight(%x: !jit.tensor<[4,64],f32>, %y: !jit.tensor<[8,64],f32>, %w: !jit.tensor<[64,32],f32>)
    -> (!jit.tensor<[4,32],f32>, !jit.tensor<[8,32],f32>) {
  %0 = aten.mm %x, %w : (!jit.tensor<[4,64],f32>, !jit.tensor<[64,32],f32>) -> !jit.tensor<[4,32],f32>
  %1 = aten.mm %y, %w : (!jit.tensor<[8,64],f32>, !jit.tensor<[64,32],f32>) -> !jit.tensor<[8,32],f32>
  return %0, %1 : !jit.tensor<[4,32],f32>, !jit.tensor<[8,32],f32>
}

// -----

// The second weight comes from the first product, and large products fill the machine alone.

// CHECK-LABEL: func.func @kept
// CHECK-COUNT-4: aten.mm
func.func @kept(%x: !jit.tensor<[32,32],f32>, %w: !jit.tensor<[32,32],f32>, %u: !jit.tensor<[32,300],f32>, %v: !jit.tensor<[32,300],f32>)
    -> (!jit.tensor<[32,32],f32>, !jit.tensor<[32,300],f32>, !jit.tensor<[32,300],f32>) {
  %0 = aten.mm %x, %w : (!jit.tensor<[32,32],f32>, !jit.tensor<[32,32],f32>) -> !jit.tensor<[32,32],f32>
  %1 = aten.mm %x, %0 : (!jit.tensor<[32,32],f32>, !jit.tensor<[32,32],f32>) -> !jit.tensor<[32,32],f32>
  %2 = aten.mm %x, %u : (!jit.tensor<[32,32],f32>, !jit.tensor<[32,300],f32>) -> !jit.tensor<[32,300],f32>
  %3 = aten.mm %x, %v : (!jit.tensor<[32,32],f32>, !jit.tensor<[32,300],f32>) -> !jit.tensor<[32,300],f32>
  return %1, %2, %3 : !jit.tensor<[32,32],f32>, !jit.tensor<[32,300],f32>, !jit.tensor<[32,300],f32>
}

// -----

// Parameters are read where they are needed; the one product is where the first one was.

jit.slot parameter @q : !jit.tensor<[16,64],f32> = #jit.storage<"data/0", 0, [64, 1]>
jit.slot parameter @k : !jit.tensor<[8,64],f32> = #jit.storage<"data/1", 0, [64, 1]>

// CHECK-LABEL: func.func @parameters
//       CHECK: jit.slot_get @q
//       CHECK: jit.slot_get @k
//       CHECK: aten.linear %{{.*}} : ({{.*}}, !jit.none)
//   CHECK-NOT: aten.linear
//       CHECK: aten.tanh
func.func @parameters(%x: !jit.tensor<[32,64],f32>) -> (!jit.tensor<[32,16],f32>, !jit.tensor<[32,8],f32>) {
  %none = jit.constant !jit.none = unit
  %q = jit.slot_get @q : !jit.tensor<[16,64],f32>
  %0 = aten.linear %x, %q, %none : (!jit.tensor<[32,64],f32>, !jit.tensor<[16,64],f32>, !jit.none) -> !jit.tensor<[32,16],f32>
  %1 = aten.tanh %0 : (!jit.tensor<[32,16],f32>) -> !jit.tensor<[32,16],f32>
  %k = jit.slot_get @k : !jit.tensor<[8,64],f32>
  %2 = aten.linear %x, %k, %none : (!jit.tensor<[32,64],f32>, !jit.tensor<[8,64],f32>, !jit.none) -> !jit.tensor<[32,8],f32>
  return %1, %2 : !jit.tensor<[32,16],f32>, !jit.tensor<[32,8],f32>
}
