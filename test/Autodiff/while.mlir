// RUN: jit-opt %s --jit-differentiate --canonicalize --cse | FileCheck %s

// The loop runs once to count its trips, then as a loop of so many, which can be run backwards.

// CHECK-LABEL: func.func @forward
//       CHECK: %[[COUNT:.*]]:2 = scf.while
//       CHECK: %[[FORWARD:.*]] = scf.for %{{.*}} = %{{.*}} to %[[COUNT]]#1 step
//       CHECK: scf.for
//       CHECK: scf.for
//       CHECK: return %[[FORWARD]]
func.func @forward(%x: !jit.tensor<[4],f32> {jit.requires_grad}) -> !jit.tensor<[4],f32> {
  %r = scf.while (%c = %x) : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32> {
    %any = aten.any %c : (!jit.tensor<[4],f32>) -> !jit.tensor<[],i1>
    %go = aten.Bool.Tensor %any : (!jit.tensor<[],i1>) -> i1
    scf.condition(%go) %c : !jit.tensor<[4],f32>
  } do {
  ^bb0(%c: !jit.tensor<[4],f32>):
    %0 = aten.tanh %c : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    scf.yield %0 : !jit.tensor<[4],f32>
  }
  return %r : !jit.tensor<[4],f32>
}
