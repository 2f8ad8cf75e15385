// RUN: jit-opt %s --jit-hoist-init | FileCheck %s

// What weights alone determine moves to @forward.init; the plain view of a weight and the broadcast of
// one stay, and so does the list of weights.
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>, %[[V:.*]]: tensor<4xf32> {jit.weight = "var"},
// CHECK-SAME:    %[[P:.*]]: tensor<4xf32> {jit.packed = 0 : i64})
// CHECK:         linalg.map { arith.mulf } ins(%[[X]], %[[P]]
// CHECK:         tensor.extract_slice %[[V]]
// CHECK:         linalg.broadcast ins(%[[V]]
// CHECK-LABEL: func.func @forward.init(
// CHECK-SAME:    %[[W:.*]]: tensor<4xf32> {jit.weight = "var"}) -> tensor<4xf32>
// CHECK:         %[[R:.*]] = linalg.map { math.rsqrt } ins(%[[W]]
// CHECK:         return %[[R]]
func.func @forward(%x: tensor<4xf32>, %var: tensor<4xf32> {jit.weight = "var"})
    -> (tensor<4xf32>, tensor<2xf32>, tensor<1000x4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.map { math.rsqrt } ins(%var : tensor<4xf32>) outs(%e : tensor<4xf32>)
  %y = linalg.map { arith.mulf } ins(%x, %r : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>)
  %s = tensor.extract_slice %var[1] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %big = tensor.empty() : tensor<1000x4xf32>
  %b = linalg.broadcast ins(%var : tensor<4xf32>) outs(%big : tensor<1000x4xf32>) dimensions = [0]
  return %y, %s, %b : tensor<4xf32>, tensor<2xf32>, tensor<1000x4xf32>
}
