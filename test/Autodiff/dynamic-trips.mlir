// RUN: jit-opt %s --jit-differentiate --canonicalize --cse | FileCheck %s

// How often the loop runs only the call tells: nothing is stacked. Trip k backwards runs the k trips before it again.

// CHECK-LABEL: func.func @forward
//   CHECK-NOT: jit.poison
//       CHECK: %[[FORWARD:.*]] = scf.for %{{.*}} = %{{.*}} to %arg1 step
//       CHECK: scf.for
//       CHECK:   %[[LAST:.*]] = arith.subi
//       CHECK:   %[[TRIP:.*]] = arith.subi %[[LAST]]
//       CHECK:   %[[STATE:.*]] = scf.for %{{.*}} = %{{.*}} to %[[TRIP]] step %{{.*}} iter_args(%{{.*}} = %arg0)
//       CHECK:   aten.tanh %[[STATE]]
//       CHECK: return %[[FORWARD]]
func.func @forward(%h: !jit.tensor<[4],f32> {jit.requires_grad}, %n: i64) -> !jit.tensor<[4],f32> {
  %lower = arith.constant 0 : i64
  %step = arith.constant 1 : i64
  %r = scf.for %i = %lower to %n step %step iter_args(%c = %h) -> !jit.tensor<[4],f32> : i64 {
    %0 = aten.tanh %c : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    scf.yield %0 : !jit.tensor<[4],f32>
  }
  return %r : !jit.tensor<[4],f32>
}
