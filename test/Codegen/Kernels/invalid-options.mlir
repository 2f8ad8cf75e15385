// RUN: not jit-opt %s --jit-gpu-nc-loads=policy=some 2>&1 | FileCheck %s --check-prefix=POLICY
// RUN: not jit-translate --mlir-to-ptx=%s --chip=sm_1 2>&1 | FileCheck %s --check-prefix=CHIP

// POLICY: expected nc loads for broadcast, all or none, got 'some'
// CHIP: expected one of the chips sm_80, sm_86, sm_89, sm_90, sm_90a, got 'sm_1'
func.func @forward(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.map { math.absf } ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>)
  return %r : tensor<8xf32>
}
