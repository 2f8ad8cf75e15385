// REQUIRES: libdevice
// RUN: jit-translate --mlir-to-ptx=%s | FileCheck %s
// What is linked in is no function of its own.
// CHECK-NOT: .extern
// CHECK:     .entry forward_pointwise_0(
// CHECK-NOT: .func
func.func @forward(%x: tensor<64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %r = linalg.map { math.powf } ins(%x, %x : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>)
  return %r : tensor<64xf32>
}
