// RUN: jit-opt %s --jit-to-nvptx=chip=sm_90 | FileCheck %s

// The whole way: the host launches and copies, kernels are in the NVVM dialect. What a sum starts with and what is made of it
// are done in one kernel with it.
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<64x100xf32>, %[[R:[a-z0-9]+]]: memref<64xf32> {jit.result = 0 : i64}
// CHECK:         gpu.launch_func @kernels::@forward_rows_0 {{.*}} args(%[[R]] : memref<64xf32>, %[[X]] : memref<64x100xf32>)
// CHECK-NEXT:    return
// CHECK:       gpu.module @kernels
// CHECK:         llvm.func @forward_rows_0({{.*}} nvvm.kernel
// CHECK:           nvvm.shfl.sync bfly
func.func @forward(%x: tensor<64x100xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<64x100xf32>) outs(%f : tensor<64xf32>) dimensions = [1]
  %r = linalg.map { math.exp } ins(%s : tensor<64xf32>) outs(%e : tensor<64xf32>)
  return %r : tensor<64xf32>
}
