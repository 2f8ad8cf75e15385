// RUN: jit-opt %s --split-input-file --verify-diagnostics

func.func @batches(%x: !jit.tensor<[5,1,2,3],f32>, %y: !jit.tensor<[4,3,6],f32>, %v: !jit.tensor<[3],f32>) {
  %r = aten.matmul %x, %y : (!jit.tensor<[5,1,2,3],f32>, !jit.tensor<[4,3,6],f32>) -> !jit.tensor<[5,4,2,6],f32>
  %s = aten.matmul %x, %v : (!jit.tensor<[5,1,2,3],f32>, !jit.tensor<[3],f32>) -> !jit.tensor<[5,1,2],f32>
  return
}

// -----

func.func @matmul(%x: !jit.tensor<[2,3],f32>) {
  // expected-error @+2 {{expected as many columns as rows, got 3 and 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %r = aten.matmul %x, %x : (!jit.tensor<[2,3],f32>, !jit.tensor<[2,3],f32>) -> !jit.tensor
  return
}

// -----

func.func @addmm(%s: !jit.tensor<[4],f32>, %x: !jit.tensor<[2,3],f32>, %y: !jit.tensor<[3,7],f32>) {
  %one = arith.constant 1 : i64
  // expected-error @+2 {{expected a tensor that broadcasts to the product that it is added to, got !jit.tensor<[4],f32> for !jit.tensor<[2,7],f32>}}
  // expected-error @+1 {{failed to infer returned types}}
  %r = aten.addmm %s, %x, %y, %one, %one : (!jit.tensor<[4],f32>, !jit.tensor<[2,3],f32>, !jit.tensor<[3,7],f32>, i64, i64) -> !jit.tensor
  return
}
