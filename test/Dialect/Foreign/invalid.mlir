// RUN: jit-opt %s --split-input-file --verify-diagnostics

func.func @inputs(%x: tensor<4xf32>, %out: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expected a layout of 1 inputs, got one of 2}}
  %0 = foreign.call "f" "my::f(Tensor x, float by) -> Tensor" [f32, f64] ins(%x : tensor<4xf32>) outs(%out : tensor<4xf32>) [f32] -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @results(%x: tensor<4xf32>, %out: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expected element types of 1 results, got 2}}
  %0 = foreign.call "f" "my::f(Tensor x) -> Tensor" [f32] ins(%x : tensor<4xf32>) outs(%out : tensor<4xf32>) [f32, f32] -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @element_type(%x: tensor<4xf32>, %out: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expected an operand of 'f64', got 'tensor<4xf32>'}}
  %0 = foreign.call "f" "my::f(Tensor x) -> Tensor" [f64] ins(%x : tensor<4xf32>) outs(%out : tensor<4xf32>) [f32] -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @open_sizes(%x: tensor<?xf32>, %out: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expected an operand of 'f32', got 'tensor<?xf32>'}}
  %0 = foreign.call "f" "my::f(Tensor x) -> Tensor" [f32] ins(%x : tensor<?xf32>) outs(%out : tensor<4xf32>) [f32] -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @strided(%x: memref<4xf32, strided<[2]>>, %out: memref<4xf32>) {
  // expected-error@+1 {{expected a row-major buffer, got 'memref<4xf32, strided<[2]>>'}}
  foreign.call "f" "my::f(Tensor x) -> Tensor" [f32] ins(%x : memref<4xf32, strided<[2]>>) outs(%out : memref<4xf32>) [f32]
  return
}
