// RUN: jit-opt %s --jit-functionalize-tensors | FileCheck %s

// A name that may be a memory or the transpose of it: that it has the sizes of the one is known under the condition of that alone, not of what was written to it.
!m = !jit.tensor<[2,4],f32>
!t = !jit.tensor<[4,2],f32>
!o = !jit.tensor<[?,?],f32>
// CHECK-LABEL: func.func @forward
// CHECK: scf.if %arg1
// CHECK: scf.if %arg2
// CHECK: %[[WRITTEN:.*]] = aten.numpy_T %{{.*}} : (!jit.tensor<[?,?],f32>) -> !jit.tensor<[?,?],f32>
// CHECK: scf.if
// CHECK: jit.unchecked_cast %[[WRITTEN]] : !jit.tensor<[?,?],f32> to !jit.tensor<[2,4],f32>
// CHECK: scf.yield %[[WRITTEN]]
func.func @forward(%x: !m, %c: i1, %d: i1) -> (!o, !m) {
  %y = aten.relu %x : (!m) -> !m
  %yt = aten.t %y : (!m) -> !t
  %n = scf.if %c -> !o {
    %a = jit.derefine %y : !m to !o
    scf.yield %a : !o
  } else {
    %b = jit.derefine %yt : !t to !o
    scf.yield %b : !o
  }
  %v = aten.t %n : (!o) -> !o
  scf.if %d {
    %e = aten.tanh %v : (!o) -> !o
    %w = jit.overwrite %v, %e : (!o, !o) -> !o
  }
  return %v, %y : !o, !m
}
