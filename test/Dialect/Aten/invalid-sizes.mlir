// RUN: jit-opt %s --verify-diagnostics --split-input-file

func.func @beyond_all_memory(%x: !jit.tensor<[],f32>) {
  %n = arith.constant 4294967296 : i64
  %false = arith.constant false
  %sizes = jit.list %n, %n : (i64, i64) -> !jit.list<i64>
  // expected-error @+2 {{expected a tensor of at most 1099511627776 elements, got '!jit.tensor<[4294967296,4294967296],f32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = aten.expand %x, %sizes, %false : (!jit.tensor<[],f32>, !jit.list<i64>, i1) -> !jit.tensor
  return
}

// -----

func.func @negative(%x: !jit.tensor<[2,3],f32>) {
  %m2 = arith.constant -2 : i64
  %m3 = arith.constant -3 : i64
  %sizes = jit.list %m2, %m3 : (i64, i64) -> !jit.list<i64>
  // expected-error @+2 {{expected sizes that are not negative, got -2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = aten.view %x, %sizes : (!jit.tensor<[2,3],f32>, !jit.list<i64>) -> !jit.tensor
  return
}

// -----

func.func @sequence() {
  %nan = arith.constant 0x7FF8000000000000 : f64
  %none = jit.constant !jit.none = unit
  // expected-error @+2 {{expected a sequence of at most 1099511627776 numbers}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = aten.arange %nan, %none, %none, %none, %none : (f64, !jit.none, !jit.none, !jit.none, !jit.none) -> !jit.tensor
  return
}
