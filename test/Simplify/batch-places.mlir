// RUN: jit-opt %s --split-input-file --jit-batch-products="max-columns=128 min-depth=32 min-rows=16" | FileCheck %s

// In a loop: what was made before it is there at the first product, and what is a view of a parameter, or of what was made in the loop
// before the first product, moves to it.

jit.slot parameter @w : !jit.tensor<[16,64],f32> = #jit.storage<"data/0", 0, [64, 1]>

// CHECK-LABEL: func.func @in_a_loop
//       CHECK: scf.for
//       CHECK: %[[EARLY:.*]] = aten.tanh
//       CHECK: aten.t %[[EARLY]]
//       CHECK: %[[W:.*]] = jit.slot_get @w
//       CHECK: aten.t %[[W]]
//       CHECK: aten.cat
//       CHECK: aten.mm %{{.*}} -> !jit.tensor<[32,64],f32>
//   CHECK-NOT: aten.mm
//       CHECK: scf.yield
func.func @in_a_loop(%x: !jit.tensor<[32,64],f32>, %q: !jit.tensor<[64,16],f32>, %k: !jit.tensor<[16,64],f32>) -> !jit.tensor<[32,64],f32> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %a = aten.exp %q : (!jit.tensor<[64,16],f32>) -> !jit.tensor<[64,16],f32>
  %b = aten.exp %a : (!jit.tensor<[64,16],f32>) -> !jit.tensor<[64,16],f32>
  %c = aten.exp %b : (!jit.tensor<[64,16],f32>) -> !jit.tensor<[64,16],f32>
  %r = scf.for %i = %0 to %10 step %1 iter_args(%s = %x) -> !jit.tensor<[32,64],f32> : i64 {
    %early = aten.tanh %k : (!jit.tensor<[16,64],f32>) -> !jit.tensor<[16,64],f32>
    %p = aten.mm %s, %b : (!jit.tensor<[32,64],f32>, !jit.tensor<[64,16],f32>) -> !jit.tensor<[32,16],f32>
    %p1 = aten.mm %s, %c : (!jit.tensor<[32,64],f32>, !jit.tensor<[64,16],f32>) -> !jit.tensor<[32,16],f32>
    %turned = aten.t %early : (!jit.tensor<[16,64],f32>) -> !jit.tensor<[64,16],f32>
    %p2 = aten.mm %s, %turned : (!jit.tensor<[32,64],f32>, !jit.tensor<[64,16],f32>) -> !jit.tensor<[32,16],f32>
    %w = jit.slot_get @w : !jit.tensor<[16,64],f32>
    %wt = aten.t %w : (!jit.tensor<[16,64],f32>) -> !jit.tensor<[64,16],f32>
    %p3 = aten.mm %s, %wt : (!jit.tensor<[32,64],f32>, !jit.tensor<[64,16],f32>) -> !jit.tensor<[32,16],f32>
    %list = jit.list %p, %p1, %p2, %p3 : (!jit.tensor<[32,16],f32>, !jit.tensor<[32,16],f32>, !jit.tensor<[32,16],f32>, !jit.tensor<[32,16],f32>) -> !jit.list<!jit.tensor>
    %all = aten.cat %list, %1 : (!jit.list<!jit.tensor>, i64) -> !jit.tensor<[32,64],f32>
    scf.yield %all : !jit.tensor<[32,64],f32>
  }
  return %r : !jit.tensor<[32,64],f32>
}

// -----

// A bias that is made after the first product, and a view of the first product itself, are not there.

// CHECK-LABEL: func.func @late
// CHECK-COUNT-2: aten.linear
//       CHECK: return
func.func @late(%x: !jit.tensor<[32,64],f32>, %q: !jit.tensor<[16,64],f32>, %k: !jit.tensor<[16,64],f32>, %b: !jit.tensor<[16],f32>)
    -> (!jit.tensor<[32,16],f32>, !jit.tensor<[32,16],f32>) {
  %0 = aten.linear %x, %q, %b : (!jit.tensor<[32,64],f32>, !jit.tensor<[16,64],f32>, !jit.tensor<[16],f32>) -> !jit.tensor<[32,16],f32>
  %late = aten.exp %b : (!jit.tensor<[16],f32>) -> !jit.tensor<[16],f32>
  %1 = aten.linear %x, %k, %late : (!jit.tensor<[32,64],f32>, !jit.tensor<[16,64],f32>, !jit.tensor<[16],f32>) -> !jit.tensor<[32,16],f32>
  return %0, %1 : !jit.tensor<[32,16],f32>, !jit.tensor<[32,16],f32>
}

// -----

// CHECK-LABEL: func.func @of_the_first
// CHECK-COUNT-2: aten.mm
//       CHECK: return
func.func @of_the_first(%x: !jit.tensor<[64,64],f32>, %q: !jit.tensor<[64,64],f32>) -> !jit.tensor<[64,64],f32> {
  %0 = aten.mm %x, %q : (!jit.tensor<[64,64],f32>, !jit.tensor<[64,64],f32>) -> !jit.tensor<[64,64],f32>
  %turned = aten.t %0 : (!jit.tensor<[64,64],f32>) -> !jit.tensor<[64,64],f32>
  %1 = aten.mm %x, %turned : (!jit.tensor<[64,64],f32>, !jit.tensor<[64,64],f32>) -> !jit.tensor<[64,64],f32>
  return %1 : !jit.tensor<[64,64],f32>
}
