// What is left of an operator that was taken apart is reported with the operator that the program calls.
// RUN: jit-opt %s --jit-lower --split-input-file --verify-diagnostics

func.func @ordered(%x: !jit.tensor<[4],f32>, %descending: i1) -> !jit.tensor<[4],i64> {
  %stable = arith.constant false
  %dim = arith.constant 0 : i64
  // expected-error @below {{expected an operator with a lowering, got aten.sort, part of aten.argsort.stable}}
  %0 = aten.argsort.stable %x, %stable, %dim, %descending : (!jit.tensor<[4],f32>, i1, i64, i1) -> !jit.tensor<[4],i64>
  return %0 : !jit.tensor<[4],i64>
}

// -----

// One that the program itself calls is no part of any.
func.func @sorted(%x: !jit.tensor<[4],f32>, %descending: i1) -> !jit.tensor<[4],i64> {
  %dim = arith.constant 0 : i64
  // expected-error-re @below {{expected an operator with a lowering, got aten.sort{{$}}}}
  %0:2 = aten.sort %x, %dim, %descending : (!jit.tensor<[4],f32>, i64, i1) -> (!jit.tensor<[4],f32>, !jit.tensor<[4],i64>)
  return %0#1 : !jit.tensor<[4],i64>
}
