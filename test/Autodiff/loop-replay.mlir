// RUN: jit-opt %s --jit-differentiate --canonicalize --cse | FileCheck %s

// Of a trip that is run again the backward pass makes what it needs: in the order of the trip, each once, products and branches too. What
// stands before the loop is there.

// CHECK-LABEL: func.func @forward
//       CHECK: %[[COS:.*]] = aten.cos %arg1
//       CHECK: scf.for %{{.*}} = %{{.*}} to %arg2
//       CHECK: scf.for
//       CHECK: %[[STATE:.*]] = scf.for %{{.*}} iter_args(%{{.*}} = %arg0)
//       CHECK: aten.exp
//       CHECK: scf.yield
//       CHECK: }
//   CHECK-NOT: aten.cos
//       CHECK: scf.if %arg3
//       CHECK: aten.sin %[[STATE]]
//       CHECK: %[[TANH:.*]] = aten.tanh %[[STATE]]
//       CHECK: %[[PRODUCT:.*]] = aten.mm %[[TANH]], %[[COS]]
//       CHECK: aten.exp %[[PRODUCT]]
//   CHECK-NOT: aten.exp
//       CHECK: return
func.func @forward(%h: !jit.tensor<[4,4],f32> {jit.requires_grad}, %w: !jit.tensor<[4,4],f32>, %n: i64, %is: i1) -> !jit.tensor<[4,4],f32> {
  %lower = arith.constant 0 : i64
  %step = arith.constant 1 : i64
  %cos = aten.cos %w : (!jit.tensor<[4,4],f32>) -> !jit.tensor<[4,4],f32>
  %r = scf.for %i = %lower to %n step %step iter_args(%c = %h) -> !jit.tensor<[4,4],f32> : i64 {
    %s = scf.if %is -> !jit.tensor<[4,4],f32> {
      %sin = aten.sin %c : (!jit.tensor<[4,4],f32>) -> !jit.tensor<[4,4],f32>
      scf.yield %sin : !jit.tensor<[4,4],f32>
    } else {
      scf.yield %c : !jit.tensor<[4,4],f32>
    }
    %t = aten.tanh %c : (!jit.tensor<[4,4],f32>) -> !jit.tensor<[4,4],f32>
    %p = aten.mm %t, %cos : (!jit.tensor<[4,4],f32>, !jit.tensor<[4,4],f32>) -> !jit.tensor<[4,4],f32>
    %e = aten.exp %p : (!jit.tensor<[4,4],f32>) -> !jit.tensor<[4,4],f32>
    %m = aten.mul.Tensor %e, %s : (!jit.tensor<[4,4],f32>, !jit.tensor<[4,4],f32>) -> !jit.tensor<[4,4],f32>
    scf.yield %m : !jit.tensor<[4,4],f32>
  }
  return %r : !jit.tensor<[4,4],f32>
}
