// RUN: jit-opt %s --jit-lower | FileCheck %s

// A bound that has become a constant since the types were inferred: the part has that size, and the tensor the type that others know.
// CHECK:      %[[PART:.*]] = tensor.extract_slice %arg0[0, 0] [1, 3] [1, 1] : tensor<1x4xf32> to tensor<1x3xf32>
// CHECK-NEXT: %[[CAST:.*]] = tensor.cast %[[PART]] : tensor<1x3xf32> to tensor<1x?xf32>
// CHECK:      return %[[CAST]]
func.func @forward(%x: !jit.tensor<[1,4],f32>) -> !jit.tensor<[1,?],f32> attributes {jit.symbolic} {
  %one = arith.constant 1 : i64
  %end = arith.constant 3 : i64
  %none = jit.constant !jit.none = unit
  %y = aten.slice.Tensor %x, %one, %none, %end, %one : (!jit.tensor<[1,4],f32>, i64, !jit.none, i64, i64) -> !jit.tensor<[1,?],f32>
  return %y : !jit.tensor<[1,?],f32>
}
