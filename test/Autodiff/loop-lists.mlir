// RUN: jit-opt %s --jit-differentiate --canonicalize --cse --split-input-file | FileCheck %s

// A list of tensors from before the loop that each trip uses: each of them has a gradient, which the trips add up.

// CHECK-LABEL: func.func @forward
//       CHECK: scf.for
//       CHECK: %[[LOOP:.*]]:3 = scf.for %{{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (!jit.tensor<[8],f32>, !jit.tensor<[4],f32>, !jit.tensor<[4],f32>)
// CHECK-COUNT-2: aten.slice.Tensor %{{.*}} -> !jit.tensor<[4],f32>
//       CHECK: return %{{.*}}, %[[LOOP]]#{{[0-2]}}, %[[LOOP]]#{{[0-2]}}, %[[LOOP]]#{{[0-2]}}
func.func @forward(%x: !jit.tensor<[4],f32> {jit.requires_grad}, %y: !jit.tensor<[4],f32> {jit.requires_grad}, %z: !jit.tensor<[8],f32> {jit.requires_grad}) -> !jit.tensor<[8],f32> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %3 = arith.constant 3 : i64
  %list = jit.list %x, %y : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.list<!jit.tensor>
  %r = scf.for %i = %0 to %3 step %1 iter_args(%s = %z) -> !jit.tensor<[8],f32> : i64 {
    %c = aten.cat %list, %0 : (!jit.list<!jit.tensor>, i64) -> !jit.tensor<[8],f32>
    %m = aten.mul.Tensor %s, %c : (!jit.tensor<[8],f32>, !jit.tensor<[8],f32>) -> !jit.tensor<[8],f32>
    scf.yield %m : !jit.tensor<[8],f32>
  }
  return %r : !jit.tensor<[8],f32>
}
