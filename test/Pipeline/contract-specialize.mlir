// RUN: jit-opt %s --jit-verify-stage=stage=specialize --split-input-file --verify-diagnostics

// expected-error @below {{expected tensors and numbers in the signature after Specialize}}
func.func @takes_a_list(%x: !jit.list<i64>) {
  return
}

// -----

// What an operator takes as an Optional is a value that is there, seen as one.
func.func @derefines(%x: !jit.tensor<[2],f32>) {
  %0 = jit.derefine %x : !jit.tensor<[2],f32> to !jit.optional<!jit.tensor<[2],f32>>
  return
}

// -----

func.func @leaves_an_optional(%c: i1, %x: !jit.tensor<[2],f32>) {
  %there = jit.derefine %x : !jit.tensor<[2],f32> to !jit.optional<!jit.tensor<[2],f32>>
  %none = jit.constant !jit.none = unit
  %missing = jit.derefine %none : !jit.none to !jit.optional<!jit.tensor<[2],f32>>
  // expected-error @below {{expected settled Optionals, lists that do not change, and one gradient an operation, after Specialize}}
  %0 = scf.if %c -> (!jit.optional<!jit.tensor<[2],f32>>) {
    scf.yield %there : !jit.optional<!jit.tensor<[2],f32>>
  } else {
    scf.yield %missing : !jit.optional<!jit.tensor<[2],f32>>
  }
  return
}
