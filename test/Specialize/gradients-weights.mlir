// RUN: jit-opt %s --split-input-file --jit-specialize="args=f32[3],f32[3]" | FileCheck %s

!l = !jit.list<!jit.tensor>
!o = !jit.list<!jit.optional<!jit.tensor>>
// Weights that are given weight the outputs; where an input may not be unused, it has a gradient to ask for, whether an output depends on it or not.
// CHECK-LABEL: func.func @forward
// CHECK: %[[A:.*]] = aten._leaf %arg0
// CHECK: %[[B:.*]] = aten._leaf %arg1
// CHECK: %[[INPUTS:.*]] = jit.list %[[A]], %[[B]]
// CHECK: %[[WEIGHTS:.*]] = jit.list %arg0
// CHECK: %[[GA:.*]] = aten._gradient %{{.*}}, %[[INPUTS]], %[[WEIGHTS]], %c0_i64
// CHECK: %[[GB:.*]] = aten._gradient %{{.*}}, %[[INPUTS]], %[[WEIGHTS]], %c1_i64
// CHECK: return %[[GA]], %[[GB]]
func.func @forward(%x: !jit.tensor, %y: !jit.tensor) -> !o {
  %none = jit.constant !jit.none = unit
  %false = arith.constant false
  %a = aten._leaf %x : (!jit.tensor) -> !jit.tensor
  %b = aten._leaf %y : (!jit.tensor) -> !jit.tensor
  %s = aten.exp %a : (!jit.tensor) -> !jit.tensor
  %outputs = jit.list %s : (!jit.tensor) -> !l
  %inputs = jit.list %a, %b : (!jit.tensor, !jit.tensor) -> !l
  %weights = jit.list %x : (!jit.tensor) -> !o
  %g = aten.grad %outputs, %inputs, %weights, %none, %false, %false : (!l, !l, !o, !jit.none, i1, i1) -> !o
  return %g : !o
}

// -----

!l = !jit.list<!jit.tensor>
!o = !jit.list<!jit.optional<!jit.tensor>>
// Two outputs with one weight are an exception of the call.
// CHECK-LABEL: func.func @forward
// CHECK: jit.guard %{{.*}}, "builtins.RuntimeError", "got 2 tensors and 1 gradients"
func.func @forward(%x: !jit.tensor, %y: !jit.tensor) -> !o {
  %none = jit.constant !jit.none = unit
  %false = arith.constant false
  %true = arith.constant true
  %a = aten._leaf %x : (!jit.tensor) -> !jit.tensor
  %s = aten.exp %a : (!jit.tensor) -> !jit.tensor
  %outputs = jit.list %s, %s : (!jit.tensor, !jit.tensor) -> !l
  %inputs = jit.list %a : (!jit.tensor) -> !l
  %weights = jit.list %x : (!jit.tensor) -> !o
  %g = aten.grad %outputs, %inputs, %weights, %none, %false, %true : (!l, !l, !o, !jit.none, i1, i1) -> !o
  return %g : !o
}
