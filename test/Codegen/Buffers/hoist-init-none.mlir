// RUN: jit-opt %s --jit-hoist-init | FileCheck %s

// Nothing depends on weights alone: no init.
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %{{.*}}: tensor<4xf32>, %{{.*}}: tensor<4xf32> {jit.weight = "w"})
// CHECK-NOT:   func.func @forward.init
func.func @forward(%x: tensor<4xf32>, %w: tensor<4xf32> {jit.weight = "w"}) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %y = linalg.map { arith.mulf } ins(%x, %w : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>)
  return %y : tensor<4xf32>
}
