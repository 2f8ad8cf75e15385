// RUN: clang -shared -fPIC -I%S/../../include %S/Inputs/operators.c -o %t.so
// RUN: jit-opt %s --operators=%t.so --split-input-file --verify-diagnostics

func.func @element_type(%x: !jit.tensor<[4],f64>) -> !jit.tensor {
  // expected-error@+2 {{test::mask(Tensor x) -> Tensor: expected elements of f32, got element type 7}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = aten.custom %x {signature = "test::mask(Tensor x) -> Tensor"} : (!jit.tensor<[4],f64>) -> !jit.tensor
  return %0 : !jit.tensor
}

// -----

func.func @complex(%x: !jit.tensor<[4],complex<f32>>) -> !jit.tensor {
  // expected-error@+2 {{test::mask(Tensor x) -> Tensor: expected a real Tensor as 'x', got '!jit.tensor<[4],complex<f32>>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = aten.custom %x {signature = "test::mask(Tensor x) -> Tensor"} : (!jit.tensor<[4],complex<f32>>) -> !jit.tensor
  return %0 : !jit.tensor
}

// -----

func.func @another_kind(%x: i64) -> !jit.tensor {
  // expected-error@+2 {{test::mask(Tensor x) -> Tensor: expected a real Tensor as 'x', got 'i64'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = aten.custom %x {signature = "test::mask(Tensor x) -> Tensor"} : (i64) -> !jit.tensor
  return %0 : !jit.tensor
}

// -----

func.func @count(%x: !jit.tensor<[4],f32>) -> !jit.tensor {
  // expected-error@+2 {{test::mask(Tensor x) -> Tensor: expected 1 arguments, got 2}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = aten.custom %x, %x {signature = "test::mask(Tensor x) -> Tensor"} : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor
  return %0 : !jit.tensor
}

// -----

func.func @sizes(%x: !jit.tensor<[4],f32>) -> !jit.tensor {
  // expected-error@+2 {{test::bad(Tensor x) -> Tensor: expected a real element type and sizes of its sizes function, got element type 6 and sizes [-3]}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = aten.custom %x {signature = "test::bad(Tensor x) -> Tensor"} : (!jit.tensor<[4],f32>) -> !jit.tensor
  return %0 : !jit.tensor
}

// -----

func.func @unknown(%x: !jit.tensor<[4],f32>) -> !jit.tensor {
  // expected-error@+2 {{expected a file of operators that has my::mask(Tensor x) -> Tensor: give it by --operators=FILE}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = aten.custom %x {signature = "my::mask(Tensor x) -> Tensor"} : (!jit.tensor<[4],f32>) -> !jit.tensor
  return %0 : !jit.tensor
}
