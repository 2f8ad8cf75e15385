// Two branches that give buffers of different layouts: what the one yields is cast to the type of both.
// RUN: jit-opt %s --jit-to-cpu --mlir-print-ir-after=jit-verify-module -o /dev/null 2>&1 | FileCheck %s

// CHECK: scf.if {{.*}} -> (memref<6xf32, strided<[?], offset: ?>>)
// CHECK: scf.yield {{.*}} : memref<6xf32, strided<[?], offset: ?>>
// CHECK: scf.yield {{.*}} : memref<6xf32, strided<[?], offset: ?>>
func.func @forward(%c: tensor<i1>, %x: tensor<18xf32>, %y: tensor<6xf32>) -> tensor<6xf32> {
  %chosen = tensor.extract %c[] : tensor<i1>
  %r = scf.if %chosen -> (tensor<6xf32>) {
    scf.yield %y : tensor<6xf32>
  } else {
    %empty = tensor.empty() : tensor<18xf32>
    %new = linalg.exp ins(%x : tensor<18xf32>) outs(%empty : tensor<18xf32>) -> tensor<18xf32>
    %seen = tensor.expand_shape %new [[0, 1, 2, 3]] output_shape [2, 3, 3, 1] : tensor<18xf32> into tensor<2x3x3x1xf32>
    %part = tensor.extract_slice %seen[0, 0, 2, 0] [2, 3, 1, 1] [1, 1, 1, 1] : tensor<2x3x3x1xf32> to tensor<2x3x1xf32>
    %flat = tensor.collapse_shape %part [[0, 1, 2]] : tensor<2x3x1xf32> into tensor<6xf32>
    scf.yield %flat : tensor<6xf32>
  }
  return %r : tensor<6xf32>
}
