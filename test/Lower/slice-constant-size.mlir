// RUN: jit-opt %s --jit-lower | FileCheck %s

// A size that is a constant behind a cast is one of the part as well as of its type.
// CHECK: tensor.extract_slice %{{.*}}[%{{.*}}, 0] [%{{.*}}, 3] [1, 1] : tensor<?x?xf32> to tensor<?x3xf32>
func.func @forward(%x: !jit.tensor<[6,3],f32>, %n: i64) -> !jit.tensor<[?,?],f32> attributes {jit.symbolic} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %open = jit.unchecked_cast %x : !jit.tensor<[6,3],f32> to !jit.tensor<[?,?],f32>
  %r = aten.slice.Tensor %open, %c0, %c0, %n, %c1 : (!jit.tensor<[?,?],f32>, i64, i64, i64, i64) -> !jit.tensor<[?,?],f32>
  return %r : !jit.tensor<[?,?],f32>
}
