// RUN: jit-opt %s --jit-specialize="args=f32[2,3]:strides[3,1]:part[0,0,6],f32[2,3]:strides[3,1]:part[0,0,6]" --verify-diagnostics

// Arguments that share memory are the caller's tensors, too.

func.func @forward(%x: !jit.tensor, %y: !jit.tensor) -> !jit.tensor {
  %u = aten.t %x : (!jit.tensor) -> !jit.tensor
  // expected-error @below {{got an argument that shares memory with another}}
  %b = jit.become %x, %u : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %y : !jit.tensor
}
