// RUN: jit-opt %s --jit-hoist-init | FileCheck %s

// Initialisation has scratch memory of one size: what has as many elements as a weight says is computed by the calls, and what
// follows from it, too.
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    jit.weight = "count"}) -> tensor<f32>
// CHECK:         tensor.empty(%{{.*}}) : tensor<?xf32>
// CHECK:         linalg.reduce
// CHECK-NOT:   func.func @forward.init
func.func @forward(%n: tensor<1xi64> {jit.weight = "count"}) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %count = tensor.extract %n[%c0] : tensor<1xi64>
  %size = arith.index_cast %count : i64 to index
  %e = tensor.empty(%size) : tensor<?xf32>
  %ones = linalg.fill ins(%one : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %s = tensor.empty() : tensor<f32>
  %start = linalg.fill ins(%zero : f32) outs(%s : tensor<f32>) -> tensor<f32>
  %sum = linalg.reduce { arith.addf } ins(%ones : tensor<?xf32>) outs(%start : tensor<f32>) dimensions = [0]
  return %sum : tensor<f32>
}
