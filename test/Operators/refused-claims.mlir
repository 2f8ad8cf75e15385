// RUN: clang -shared -fPIC -I%S/../../include %S/Inputs/operators.c -o %t.so
// RUN: not jit-opt %s --operators=%t.so --jit-lower 2>&1 | FileCheck %s

// That a text knows more of a result than the operator says makes no memory of it.
// CHECK: expected an operator with a lowering, got test::split; it needs the sizes of its tensors
func.func @forward(%x: !jit.tensor<[4],f32>, %first: i64) -> !jit.tensor<[1],f32> {
  %0:2 = aten.custom %x, %first {signature = "test::split(Tensor x, int first) -> (Tensor, Tensor)"}
      : (!jit.tensor<[4],f32>, i64) -> (!jit.tensor<[1],f32>, !jit.tensor<[1],f32>)
  return %0#0 : !jit.tensor<[1],f32>
}
