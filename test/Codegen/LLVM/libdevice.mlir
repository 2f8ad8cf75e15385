// Where a kernel needs libdevice and there is none, the error says for what and where it was looked for.
// RUN: env CUDA_HOME=%t.nowhere not jit-translate --mlir-to-ptx=%s 2>&1 | FileCheck %s
// CHECK: expected CUDA's libdevice for __nv_powf: set CUDA_HOME, or install nvidia-cuda-nvcc; looked in {{.*}}.nowhere
func.func @forward(%x: tensor<64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %r = linalg.map { math.powf } ins(%x, %x : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>)
  return %r : tensor<64xf32>
}
