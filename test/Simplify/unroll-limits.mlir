// RUN: jit-opt %s --split-input-file --jit-unroll-loops=max-operations=6 | FileCheck %s
// RUN: jit-opt %s --split-input-file --jit-unroll-loops="factor=9 full-limit=8" | FileCheck %s --check-prefix=FACTOR
// RUN: jit-opt %s --split-input-file --jit-unroll-loops="factor=1 full-limit=2" | FileCheck %s --check-prefix=ONE

// Three trips of two operators, products among them, are written out within a limit of 6; of nine trips neither all are nor are eight
// taken at once, and a factor of nine would be all of them.

// CHECK-LABEL: func.func @three
//   CHECK-NOT: scf.for
// CHECK-COUNT-3: aten.mm
//       CHECK: return
//  FACTOR-LABEL: func.func @three
//    FACTOR-NOT: scf.for
// FACTOR-COUNT-3: aten.mm
//     ONE-LABEL: func.func @three
//           ONE: scf.for
//           ONE: aten.mm
//       ONE-NOT: aten.mm
func.func @three(%x: !jit.tensor<[4,4],f32>) -> !jit.tensor<[4,4],f32> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %3 = arith.constant 3 : i64
  %r = scf.for %i = %0 to %3 step %1 iter_args(%c = %x) -> !jit.tensor<[4,4],f32> : i64 {
    %p = aten.mm %c, %x : (!jit.tensor<[4,4],f32>, !jit.tensor<[4,4],f32>) -> !jit.tensor<[4,4],f32>
    %t = aten.tanh %p : (!jit.tensor<[4,4],f32>) -> !jit.tensor<[4,4],f32>
    scf.yield %t : !jit.tensor<[4,4],f32>
  }
  return %r : !jit.tensor<[4,4],f32>
}

// -----

// CHECK-LABEL: func.func @nine
//       CHECK: scf.for
//       CHECK: aten.tanh
//   CHECK-NOT: aten.tanh
// FACTOR-LABEL: func.func @nine
//       FACTOR: scf.for
//       FACTOR: aten.tanh
//   FACTOR-NOT: aten.tanh
//    ONE-LABEL: func.func @nine
func.func @nine(%x: !jit.tensor<[4,4],f32>) -> !jit.tensor<[4,4],f32> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %9 = arith.constant 9 : i64
  %r = scf.for %i = %0 to %9 step %1 iter_args(%c = %x) -> !jit.tensor<[4,4],f32> : i64 {
    %t = aten.tanh %c : (!jit.tensor<[4,4],f32>) -> !jit.tensor<[4,4],f32>
    scf.yield %t : !jit.tensor<[4,4],f32>
  }
  return %r : !jit.tensor<[4,4],f32>
}

// -----

// Four trips of two operators are more than the limit, too.

//  CHECK-LABEL: func.func @four
// FACTOR-LABEL: func.func @four
//       CHECK: scf.for
//       CHECK: aten.mm
//   CHECK-NOT: aten.mm
func.func @four(%x: !jit.tensor<[4,4],f32>) -> !jit.tensor<[4,4],f32> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %4 = arith.constant 4 : i64
  %r = scf.for %i = %0 to %4 step %1 iter_args(%c = %x) -> !jit.tensor<[4,4],f32> : i64 {
    %p = aten.mm %c, %x : (!jit.tensor<[4,4],f32>, !jit.tensor<[4,4],f32>) -> !jit.tensor<[4,4],f32>
    %t = aten.tanh %p : (!jit.tensor<[4,4],f32>) -> !jit.tensor<[4,4],f32>
    scf.yield %t : !jit.tensor<[4,4],f32>
  }
  return %r : !jit.tensor<[4,4],f32>
}
