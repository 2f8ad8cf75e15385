// RUN: jit-opt %s --jit-emit-entry --jit-lower-foreign-calls --verify-diagnostics

func.func @forward(%x: memref<2xf32>, %y: memref<2xf32> {jit.result = 0 : i64}) {
  // expected-error@+1 {{my::f(Tensor x) -> Tensor: expected a function whose name nothing else in the program has, got 'forward'}}
  foreign.call "forward" "my::f(Tensor x) -> Tensor" [f32] ins(%x : memref<2xf32>) outs(%y : memref<2xf32>) [f32]
  return
}
