// RUN: jit-opt %s --jit-functionalize-tensors --split-input-file --verify-diagnostics

// An out= tensor has the sizes of the result; where they are open the calls in which they are not equal end, but what would be broadcast is refused.

func.func @open(%x: !jit.tensor<[?],f32>, %v: !jit.tensor<[3],f32>) -> !jit.tensor<[?],f32> {
  %y = aten.relu %x : (!jit.tensor<[?],f32>) -> !jit.tensor<[?],f32>
  %w = jit.overwrite %y, %v {jit.out} : (!jit.tensor<[?],f32>, !jit.tensor<[3],f32>) -> !jit.tensor<[?],f32>
  return %y : !jit.tensor<[?],f32>
}

// -----

func.func @given_open(%x: !jit.tensor<[3],f32>, %v: !jit.tensor<[?],f32>) -> !jit.tensor<[3],f32> {
  %y = aten.relu %x : (!jit.tensor<[3],f32>) -> !jit.tensor<[3],f32>
  %w = jit.overwrite %y, %v {jit.out} : (!jit.tensor<[3],f32>, !jit.tensor<[?],f32>) -> !jit.tensor<[3],f32>
  return %y : !jit.tensor<[3],f32>
}

// -----

func.func @one(%x: !jit.tensor<[?],f32>, %v: !jit.tensor<[1],f32>) -> !jit.tensor<[?],f32> {
  %y = aten.relu %x : (!jit.tensor<[?],f32>) -> !jit.tensor<[?],f32>
  // expected-error @below {{expected an out= tensor that has the sizes of the result, got '!jit.tensor<[?],f32>' for '!jit.tensor<[1],f32>'}}
  %w = jit.overwrite %y, %v {jit.out} : (!jit.tensor<[?],f32>, !jit.tensor<[1],f32>) -> !jit.tensor<[?],f32>
  return %y : !jit.tensor<[?],f32>
}

// -----

func.func @none(%x: !jit.tensor<[0],f32>, %v: !jit.tensor<[?],f32>) -> !jit.tensor<[0],f32> {
  %y = aten.relu %x : (!jit.tensor<[0],f32>) -> !jit.tensor<[0],f32>
  // expected-error @below {{expected an out= tensor that has the sizes of the result}}
  %w = jit.overwrite %y, %v {jit.out} : (!jit.tensor<[0],f32>, !jit.tensor<[?],f32>) -> !jit.tensor<[0],f32>
  return %y : !jit.tensor<[0],f32>
}

// -----

func.func @equal(%x: !jit.tensor<[3,1],f32>, %v: !jit.tensor<[3,1],f64>) -> !jit.tensor<[3,1],f32> {
  %y = aten.relu %x : (!jit.tensor<[3,1],f32>) -> !jit.tensor<[3,1],f32>
  %w = jit.overwrite %y, %v {jit.out} : (!jit.tensor<[3,1],f32>, !jit.tensor<[3,1],f64>) -> !jit.tensor<[3,1],f32>
  return %y : !jit.tensor<[3,1],f32>
}

// -----

func.func @second(%x: !jit.tensor<[3,2],f32>, %v: !jit.tensor<[3,1],f32>) -> !jit.tensor<[3,2],f32> {
  %y = aten.relu %x : (!jit.tensor<[3,2],f32>) -> !jit.tensor<[3,2],f32>
  // expected-error @below {{expected an out= tensor that has the sizes of the result}}
  %w = jit.overwrite %y, %v {jit.out} : (!jit.tensor<[3,2],f32>, !jit.tensor<[3,1],f32>) -> !jit.tensor<[3,2],f32>
  return %y : !jit.tensor<[3,2],f32>
}

// -----

func.func @no_rank(%x: !jit.tensor<*,f32>, %v: !jit.tensor<[3],f32>) -> !jit.tensor<*,f32> {
  %y = aten.relu %x : (!jit.tensor<*,f32>) -> !jit.tensor<*,f32>
  // expected-error @below {{expected an out= tensor that has the sizes of the result}}
  %w = jit.overwrite %y, %v {jit.out} : (!jit.tensor<*,f32>, !jit.tensor<[3],f32>) -> !jit.tensor<*,f32>
  return %y : !jit.tensor<*,f32>
}

// -----

func.func @given_no_rank(%x: !jit.tensor<[3],f32>, %v: !jit.tensor<*,f32>) -> !jit.tensor<[3],f32> {
  %y = aten.relu %x : (!jit.tensor<[3],f32>) -> !jit.tensor<[3],f32>
  // expected-error @below {{expected an out= tensor that has the sizes of the result}}
  %w = jit.overwrite %y, %v {jit.out} : (!jit.tensor<[3],f32>, !jit.tensor<*,f32>) -> !jit.tensor<[3],f32>
  return %y : !jit.tensor<[3],f32>
}
