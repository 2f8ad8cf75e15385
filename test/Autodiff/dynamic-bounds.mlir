// RUN: jit-opt %s --jit-differentiate --jit-differentiate=entry=step --split-input-file | FileCheck %s

// Where the call says with what a loop begins or by what it counts, it says how many trips there are backwards: those that fit, or none.

// CHECK-LABEL: func.func @forward
//       CHECK: scf.for
//       CHECK: %[[SPAN:.*]] = arith.subi %{{.*}}, %arg1
//       CHECK: %[[TRIPS:.*]] = arith.ceildivsi %[[SPAN]], %{{.*}}
//       CHECK: %[[COUNT:.*]] = arith.maxsi %[[TRIPS]], %{{.*}}
//       CHECK: scf.for %{{.*}} = %{{.*}} to %[[COUNT]]
func.func @forward(%h: !jit.tensor<[4],f32> {jit.requires_grad}, %n: i64) -> !jit.tensor<[4],f32> {
  %upper = arith.constant 10 : i64
  %by = arith.constant 2 : i64
  %r = scf.for %i = %n to %upper step %by iter_args(%c = %h) -> !jit.tensor<[4],f32> : i64 {
    %0 = aten.tanh %c : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    scf.yield %0 : !jit.tensor<[4],f32>
  }
  return %r : !jit.tensor<[4],f32>
}

// CHECK-LABEL: func.func @step
//       CHECK: scf.for
//       CHECK: %[[SPAN:.*]] = arith.subi
//       CHECK: %[[TRIPS:.*]] = arith.ceildivsi %[[SPAN]], %arg1
//       CHECK: arith.maxsi %[[TRIPS]]
func.func @step(%h: !jit.tensor<[4],f32> {jit.requires_grad}, %n: i64) -> !jit.tensor<[4],f32> {
  %lower = arith.constant 0 : i64
  %upper = arith.constant 10 : i64
  %r = scf.for %i = %lower to %upper step %n iter_args(%c = %h) -> !jit.tensor<[4],f32> : i64 {
    %0 = aten.tanh %c : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    scf.yield %0 : !jit.tensor<[4],f32>
  }
  return %r : !jit.tensor<[4],f32>
}
