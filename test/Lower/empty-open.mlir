// RUN: jit-opt %s --jit-lower | FileCheck %s

// An operator whose result has no elements computes nothing, but its operands still have to go together.

// CHECK-LABEL: func.func @sum
//       CHECK: jit.guard %{{.*}}, "jit.UnequalSizes"
//       CHECK: return %{{.*}} : tensor<0xf32>
func.func @sum(%x: !jit.tensor<[0],f32>, %y: !jit.tensor<[?],f32> {jit.size_names = ["n"]}) -> !jit.tensor<[0],f32> attributes {jit.symbolic} {
  %c1 = arith.constant 1 : i64
  %0 = aten.add.Tensor %x, %y, %c1 : (!jit.tensor<[0],f32>, !jit.tensor<[?],f32>, i64) -> !jit.tensor<[0],f32>
  return %0 : !jit.tensor<[0],f32>
}

// CHECK-LABEL: func.func @product
//       CHECK: jit.guard %{{.*}}, "jit.UnequalSizes"
//       CHECK: return %{{.*}} : tensor<0x2xf32>
func.func @product(%x: !jit.tensor<[0,3],f32>, %y: !jit.tensor<[?,2],f32> {jit.size_names = ["n", ""]}) -> !jit.tensor<[0,2],f32> attributes {jit.symbolic} {
  %0 = aten.mm %x, %y : (!jit.tensor<[0,3],f32>, !jit.tensor<[?,2],f32>) -> !jit.tensor<[0,2],f32>
  return %0 : !jit.tensor<[0,2],f32>
}

// CHECK-LABEL: func.func @widened
//       CHECK: jit.guard
//       CHECK: return %{{.*}} : tensor<0xf32>
func.func @widened(%x: !jit.tensor<[?],f32> {jit.size_names = ["n"]}) -> !jit.tensor<[0],f32> attributes {jit.symbolic} {
  %c0 = arith.constant 0 : i64
  %false = arith.constant false
  %sizes = jit.list %c0 : (i64) -> !jit.list<i64>
  %0 = aten.expand %x, %sizes, %false : (!jit.tensor<[?],f32>, !jit.list<i64>, i1) -> !jit.tensor<[0],f32>
  return %0 : !jit.tensor<[0],f32>
}

// Of a size that is known to be 0 no other can be told by division.
// CHECK-LABEL: func.func @reshaped
//   CHECK-NOT: tensor.expand_shape
//       CHECK: %[[E:.*]] = tensor.empty(%{{.*}}) : tensor<?x0xf32>
//       CHECK: return %[[E]]
func.func @reshaped(%x: !jit.tensor<[?],f32> {jit.size_names = ["n"]}, %rows: i64) -> !jit.tensor<[?,0],f32> attributes {jit.symbolic} {
  %c0 = arith.constant 0 : i64
  %sizes = jit.list %rows, %c0 : (i64, i64) -> !jit.list<i64>
  %0 = aten.view %x, %sizes : (!jit.tensor<[?],f32>, !jit.list<i64>) -> !jit.tensor<[?,0],f32>
  return %0 : !jit.tensor<[?,0],f32>
}
