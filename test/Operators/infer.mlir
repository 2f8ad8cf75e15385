// RUN: clang -shared -fPIC -I%S/../../include %S/Inputs/operators.c -o %t.so
// RUN: jit-opt %s --operators=%t.so --jit-infer-types | FileCheck %s

// The sizes function says what the results are.
// CHECK-LABEL: func.func @rows
// CHECK: aten.custom %arg0, %{{.*}} {{.*}} -> (!jit.tensor<[3,2],f32>, !jit.tensor<[3,2],f32>)
func.func @rows(%x: !jit.tensor<[4,2],f32>) -> !jit.tensor {
  %first = arith.constant 1 : i64
  %0:2 = aten.custom %x, %first {signature = "test::split(Tensor x, int first) -> (Tensor, Tensor)"}
      : (!jit.tensor<[4,2],f32>, i64) -> (!jit.tensor, !jit.tensor)
  return %0#1 : !jit.tensor
}
