// RUN: jit-opt %s --jit-lower --canonicalize | FileCheck %s

// An element at a place that only the loop knows is a slice of all of them, joined once, before the loop.
// CHECK-LABEL: func.func @tensors(
//       CHECK:   tensor<2x3xf32>
//       CHECK:   scf.while
//       CHECK:     tensor.extract_slice
func.func @tensors(%a: !jit.tensor<[3],f32>, %b: !jit.tensor<[3],f32>) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %list = jit.list %a, %b : (!jit.tensor<[3],f32>, !jit.tensor<[3],f32>) -> !jit.list<!jit.tensor>
  %r = scf.while (%i = %zero) : (i64) -> i64 {
    %x = aten.__getitem__.t %list, %i : (!jit.list<!jit.tensor>, i64) -> !jit.tensor<[3],f32>
    %any = aten.any %x : (!jit.tensor<[3],f32>) -> !jit.tensor<[],i1>
    %go = aten.Bool.Tensor %any : (!jit.tensor<[],i1>) -> i1
    scf.condition(%go) %i : i64
  } do {
  ^bb0(%i: i64):
    %next = arith.addi %i, %one : i64
    scf.yield %next : i64
  }
  return %r : i64
}

// CHECK-LABEL: func.func @numbers(
//       CHECK:   arith.constant dense<[3, 5, 7]> : tensor<3xi64>
//       CHECK:   tensor.extract
func.func @numbers(%i: i64) -> i64 {
  %a = arith.constant 3 : i64
  %b = arith.constant 5 : i64
  %c = arith.constant 7 : i64
  %list = jit.list %a, %b, %c : (i64, i64, i64) -> !jit.list<i64>
  %r = aten.__getitem__.t %list, %i : (!jit.list<i64>, i64) -> i64
  return %r : i64
}
