// REQUIRES: ptxas
// RUN: jit-translate --mlir-to-ptx=%s --chip=sm_80 -o %t.80.ptx
// RUN: %ptxas -arch=sm_80 -v %t.80.ptx -o %t.80.cubin 2>&1 | FileCheck %s
// RUN: jit-translate --mlir-to-ptx=%s --chip=sm_90 -o %t.90.ptx
// RUN: %ptxas -arch=sm_90 -v %t.90.ptx -o %t.90.cubin 2>&1 | FileCheck %s
// RUN: jit-translate --mlir-to-ptx=%s --chip=sm_90a -o %t.90a.ptx
// RUN: %ptxas -arch=sm_90a -v %t.90a.ptx -o %t.90a.cubin 2>&1 | FileCheck %s

// Kernels of several kinds, each with the fill before it; nothing is spilled.
// CHECK-COUNT-6: 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
// CHECK-NOT:     bytes stack frame
func.func @forward(%a: tensor<100x70xf32>, %b: tensor<70x90xf32>, %x: tensor<32x2000xf64>, %y: tensor<200x300xf16>,
    %z: tensor<64x10000xi1>) -> (tensor<100x90xf32>, tensor<32xf64>, tensor<200xf16>, tensor<10000xi1>, tensor<f16>) {
  %eab = tensor.empty() : tensor<100x90xf32>
  %ab = linalg.matmul ins(%a, %b : tensor<100x70xf32>, tensor<70x90xf32>) outs(%eab : tensor<100x90xf32>) -> tensor<100x90xf32>
  %zx = arith.constant dense<0.0> : tensor<32xf64>
  %sx = linalg.reduce { arith.addf } ins(%x : tensor<32x2000xf64>) outs(%zx : tensor<32xf64>) dimensions = [1]
  %zy = tensor.empty() : tensor<200xf16>
  %sy = linalg.reduce { arith.maximumf } ins(%y : tensor<200x300xf16>) outs(%zy : tensor<200xf16>) dimensions = [1]
  %zz = tensor.empty() : tensor<10000xi1>
  %sz = linalg.reduce { arith.ori } ins(%z : tensor<64x10000xi1>) outs(%zz : tensor<10000xi1>) dimensions = [0]
  %c3 = arith.constant 3 : index
  %v = tensor.extract %y[%c3, %c3] : tensor<200x300xf16>
  %e = tensor.from_elements %v : tensor<f16>
  return %ab, %sx, %sy, %sz, %e : tensor<100x90xf32>, tensor<32xf64>, tensor<200xf16>, tensor<10000xi1>, tensor<f16>
}
