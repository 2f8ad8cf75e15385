// RUN: jit-opt %s --verify-diagnostics --split-input-file

func.func @view(%x: !jit.tensor<[2,3],f32>) {
  %c4 = arith.constant 4 : i64
  %m1 = arith.constant -1 : i64
  %sizes = jit.list %c4, %m1 : (i64, i64) -> !jit.list<i64>
  // expected-error @+2 {{expected sizes that divide 6 elements, got a product of 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = aten.view %x, %sizes : (!jit.tensor<[2,3],f32>, !jit.list<i64>) -> !jit.tensor
  return
}

// -----

func.func @select(%x: !jit.tensor<[2,3],f32>) {
  %c1 = arith.constant 1 : i64
  %c3 = arith.constant 3 : i64
  // expected-error @+2 {{expected an index from -3 to 2, got 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = aten.select.int %x, %c1, %c3 : (!jit.tensor<[2,3],f32>, i64, i64) -> !jit.tensor
  return
}

// -----

func.func @expand(%x: !jit.tensor<[2,3],f32>) {
  %c4 = arith.constant 4 : i64
  %false = arith.constant false
  %sizes = jit.list %c4, %c4 : (i64, i64) -> !jit.list<i64>
  // expected-error @+2 {{expected size 2 or -1 for dimension 0, got 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = aten.expand %x, %sizes, %false : (!jit.tensor<[2,3],f32>, !jit.list<i64>, i1) -> !jit.tensor
  return
}
