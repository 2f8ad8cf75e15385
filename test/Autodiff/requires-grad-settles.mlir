// RUN: jit-opt %s --jit-expand-gradients 2>&1 | FileCheck %s --implicit-check-not=error

// An answer settles a branch, and so what the next question is about, wherever that stands; and so once more.

// CHECK-LABEL: func.func @forward
// CHECK: return %{{true.*}}, %{{false.*}}
func.func @forward(%x: !jit.tensor<[3],f32>, %y: !jit.tensor<[3],f32> {jit.requires_grad}) -> (i1, i1) {
  %0 = aten.requires_grad %y : (!jit.tensor<[3],f32>) -> i1
  %a = scf.if %0 -> !jit.tensor<[3],f32> {
    %s = aten.sin %y : (!jit.tensor<[3],f32>) -> !jit.tensor<[3],f32>
    scf.yield %s : !jit.tensor<[3],f32>
  } else {
    %s = aten.sin %x : (!jit.tensor<[3],f32>) -> !jit.tensor<[3],f32>
    scf.yield %s : !jit.tensor<[3],f32>
  }
  %1 = aten.requires_grad %a : (!jit.tensor<[3],f32>) -> i1
  %b = scf.if %1 -> !jit.tensor<[3],f32> {
    %s = aten.sin %x : (!jit.tensor<[3],f32>) -> !jit.tensor<[3],f32>
    scf.yield %s : !jit.tensor<[3],f32>
  } else {
    %s = aten.sin %y : (!jit.tensor<[3],f32>) -> !jit.tensor<[3],f32>
    scf.yield %s : !jit.tensor<[3],f32>
  }
  %2 = aten.requires_grad %b : (!jit.tensor<[3],f32>) -> i1
  return %1, %2 : i1, i1
}
