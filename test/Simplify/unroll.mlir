// RUN: jit-opt %s --split-input-file --jit-unroll-loops --canonicalize | FileCheck %s
// RUN: jit-opt %s --split-input-file --jit-unroll-loops=factor=1 --canonicalize | FileCheck %s --check-prefix=WHOLE

// Three trips are written out; of nineteen eight are taken at once, and three come after.

// CHECK-LABEL: func.func @short
//   CHECK-NOT: scf.for
// CHECK-COUNT-3: aten.tanh
//   CHECK-NOT: aten.tanh
//       CHECK: return
// WHOLE-LABEL: func.func @short
//   WHOLE-NOT: scf.for
//       WHOLE: return
func.func @short(%x: !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %3 = arith.constant 3 : i64
  %r = scf.for %i = %0 to %3 step %1 iter_args(%c = %x) -> !jit.tensor<[4],f32> : i64 {
    %t = aten.tanh %c : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    scf.yield %t : !jit.tensor<[4],f32>
  }
  return %r : !jit.tensor<[4],f32>
}

// -----

// CHECK-LABEL: func.func @long
//       CHECK: scf.for
// CHECK-COUNT-8: aten.tanh
//   CHECK-NOT: aten.tanh
//       CHECK: scf.yield
//       CHECK: scf.for
//       CHECK: aten.tanh
//       CHECK: return
// WHOLE-LABEL: func.func @long
//       WHOLE: scf.for
//       WHOLE: aten.tanh
//   WHOLE-NOT: aten.tanh
//       WHOLE: return
func.func @long(%x: !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %19 = arith.constant 19 : i64
  %r = scf.for %i = %0 to %19 step %1 iter_args(%c = %x) -> !jit.tensor<[4],f32> : i64 {
    %t = aten.tanh %c : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    scf.yield %t : !jit.tensor<[4],f32>
  }
  return %r : !jit.tensor<[4],f32>
}

// -----

// Only the call tells how many trips: the loop stays.

// CHECK-LABEL: func.func @unknown
//       CHECK: scf.for
//       CHECK: aten.tanh
//   CHECK-NOT: aten.tanh
func.func @unknown(%x: !jit.tensor<[4],f32>, %n: i64) -> !jit.tensor<[4],f32> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %r = scf.for %i = %0 to %n step %1 iter_args(%c = %x) -> !jit.tensor<[4],f32> : i64 {
    %t = aten.tanh %c : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    scf.yield %t : !jit.tensor<[4],f32>
  }
  return %r : !jit.tensor<[4],f32>
}
