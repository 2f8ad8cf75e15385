// RUN: jit-opt %s --jit-specialize="args=f32[2]@cuda:0:grad" | FileCheck %s --check-prefix=CUDA
// RUN: jit-opt %s --jit-specialize="args=f32[2]" | FileCheck %s --check-prefix=CPU

// A program that asks for its tensors' device is settled by the call's.

//     CUDA: func.func @forward(%[[X:.*]]: !jit.tensor<[2],f32> {{{.*}}jit.requires_grad{{.*}}jit.device = "cuda:0"
//     CUDA: aten.neg %[[X]]
// CUDA-NOT: aten.exp

//     CPU: aten.exp
// CPU-NOT: aten.neg
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %cuda = aten.is_cuda %x : (!jit.tensor) -> i1
  %y = scf.if %cuda -> !jit.tensor {
    %0 = aten.neg %x : (!jit.tensor) -> !jit.tensor
    scf.yield %0 : !jit.tensor
  } else {
    %0 = aten.exp %x : (!jit.tensor) -> !jit.tensor
    scf.yield %0 : !jit.tensor
  }
  return %y : !jit.tensor
}
