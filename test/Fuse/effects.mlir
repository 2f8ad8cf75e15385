// RUN: jit-opt %s --jit-fuse-pointwise | FileCheck %s

// Guards keep their order, whatever follows a group.
// CHECK-LABEL: func.func @forward
//       CHECK: jit.group
//       CHECK: jit.guard %{{.*}}, "builtins.ValueError", "first"
//       CHECK: jit.guard %{{.*}}, "builtins.ValueError", "second"
func.func @forward(%x: !jit.tensor<[1],f32>, %p: i1) -> !jit.tensor<[1],f32> {
  %0 = aten.tanh %x : (!jit.tensor<[1],f32>) -> !jit.tensor<[1],f32>
  %ok = aten.Bool.Tensor %0 : (!jit.tensor<[1],f32>) -> i1
  jit.guard %ok, "builtins.ValueError", "first"
  jit.guard %p, "builtins.ValueError", "second"
  %1 = aten.exp %0 : (!jit.tensor<[1],f32>) -> !jit.tensor<[1],f32>
  return %1 : !jit.tensor<[1],f32>
}
