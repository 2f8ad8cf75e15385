// RUN: jit-opt %s --jit-lower --canonicalize | FileCheck %s

// Which way data make a branch go tells the sizes of what it gives.
// CHECK-LABEL: func.func @forward
// CHECK: %[[CHOSEN:.*]] = scf.if {{.*}} -> (tensor<?xf32>)
// CHECK: return %[[CHOSEN]] : tensor<?xf32>
func.func @forward(%x: !jit.tensor<[3],f32>, %y: !jit.tensor<[2],f32>, %flag: i1) -> !jit.tensor<[?],f32> {
  %0 = scf.if %flag -> !jit.tensor<[?],f32> {
    %1 = jit.derefine %x : !jit.tensor<[3],f32> to !jit.tensor<[?],f32>
    scf.yield %1 : !jit.tensor<[?],f32>
  } else {
    %1 = jit.derefine %y : !jit.tensor<[2],f32> to !jit.tensor<[?],f32>
    scf.yield %1 : !jit.tensor<[?],f32>
  }
  return %0 : !jit.tensor<[?],f32>
}
