// RUN: jit-opt %s --jit-functionalize-tensors | FileCheck %s

// An out= tensor of other sizes than the result is not supported: where data choose whether a call gets to it, those that do end there.
// CHECK-LABEL: func.func @forward
// CHECK: scf.if
// CHECK: jit.guard %{{.*}}, "jit.Unsupported", "expected an out= tensor that has the sizes of the result, got '!jit.tensor<[3],f32>' for '!jit.tensor<[2],f32>'"
// CHECK-NOT: jit.overwrite
func.func @forward(%x: !jit.tensor<[3],f32>, %v: !jit.tensor<[2],f32>, %c: i1) -> !jit.tensor<[3],f32> {
  %y = aten.relu %x : (!jit.tensor<[3],f32>) -> !jit.tensor<[3],f32>
  scf.if %c {
    %w = jit.overwrite %y, %v {jit.out} : (!jit.tensor<[3],f32>, !jit.tensor<[2],f32>) -> !jit.tensor<[3],f32>
  }
  return %y : !jit.tensor<[3],f32>
}
