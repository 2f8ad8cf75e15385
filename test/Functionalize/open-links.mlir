// RUN: jit-opt %s --jit-functionalize-tensors --canonicalize --cse | FileCheck %s

// A name is a row of the tensor where one arm was taken. Of open sizes there need not be such a row else: it is taken under the
// condition alone.
// CHECK-LABEL: func.func @forward
//       CHECK: %[[Z:.*]] = aten.exp
//       CHECK: %[[B:.*]] = scf.if
//       CHECK:   aten.select.int %[[Z]]
//       CHECK: } else {
//       CHECK: }
//   CHECK-NOT: aten.select.int
//       CHECK: scf.if
//       CHECK:   aten.select_scatter %[[Z]]
//   CHECK-NOT: aten.select.int
//       CHECK: return
func.func @forward(%x: !jit.tensor<[?,?],f32>, %y: !jit.tensor<[?],f32>, %c: i1) -> (!jit.tensor<[?,?],f32>, !jit.tensor<[?],f32>) attributes {jit.symbolic} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %z = aten.exp %x : (!jit.tensor<[?,?],f32>) -> !jit.tensor<[?,?],f32>
  %b = scf.if %c -> (!jit.tensor<[?],f32>) {
    %row = aten.select.int %z, %zero, %two : (!jit.tensor<[?,?],f32>, i64, i64) -> !jit.tensor<[?],f32>
    scf.yield %row : !jit.tensor<[?],f32>
  } else {
    %n = aten.neg %y : (!jit.tensor<[?],f32>) -> !jit.tensor<[?],f32>
    scf.yield %n : !jit.tensor<[?],f32>
  }
  %a = aten.add.Scalar %b, %one, %one : (!jit.tensor<[?],f32>, i64, i64) -> !jit.tensor<[?],f32>
  %w = jit.overwrite %b, %a : (!jit.tensor<[?],f32>, !jit.tensor<[?],f32>) -> !jit.tensor<[?],f32>
  return %z, %b : !jit.tensor<[?,?],f32>, !jit.tensor<[?],f32>
}
