// RUN: clang -shared -fPIC -I%S/../../include %S/Inputs/operators.c -o %t.so
// RUN: jit-opt %s --operators=%t.so --split-input-file --jit-infer-types --verify-diagnostics

// The sizes function is asked with all that it may ask for, or not at all.
func.func @an_int(%x: !jit.tensor<[4,2],f32>, %first: i64) -> !jit.tensor {
  // expected-error@+1 {{expected more to be known of the arguments of test::split; it needs the sizes of its tensors and the values of its ints, bools and strings while it is compiled}}
  %0:2 = aten.custom %x, %first {signature = "test::split(Tensor x, int first) -> (Tensor, Tensor)"}
      : (!jit.tensor<[4,2],f32>, i64) -> (!jit.tensor, !jit.tensor)
  return %0#0 : !jit.tensor
}

// -----

func.func @a_size(%x: !jit.tensor<[?,2],f32>) -> !jit.tensor {
  // expected-error@+1 {{expected more to be known of the arguments of test::mask}}
  %0 = aten.custom %x {signature = "test::mask(Tensor x) -> Tensor"} : (!jit.tensor<[?,2],f32>) -> !jit.tensor
  return %0 : !jit.tensor
}
