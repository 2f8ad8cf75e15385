// RUN: jit-opt %s --jit-verify-stage=stage=lower --split-input-file --verify-diagnostics

func.func @operator(%x: !jit.tensor<[2],f32>) {
  // expected-error @below {{expected linalg, tensor, scf, arith, math and foreign on builtin types after Lower}}
  %0 = aten.tanh %x : (!jit.tensor<[2],f32>) -> !jit.tensor<[2],f32>
  return
}

// -----

func.func @of_the_graph(%c: i1, %x: !jit.tensor<[2],f32>) {
  // expected-error @below {{expected linalg, tensor, scf, arith, math and foreign on builtin types after Lower}}
  %0 = scf.if %c -> (!jit.tensor<[2],f32>) {
    scf.yield %x : !jit.tensor<[2],f32>
  } else {
    scf.yield %x : !jit.tensor<[2],f32>
  }
  return
}
