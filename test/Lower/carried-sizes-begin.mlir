// RUN: jit-opt %s --jit-lower --canonicalize | FileCheck %s

// A loop that begins with tensors of known sizes may change them, whatever else the function has. Its results have open sizes, also
// after patterns that move casts out of loops.
// CHECK-LABEL: func.func @swaps
//       CHECK: %[[A:.*]] = bufferization.alloc_tensor() copy(%{{.*}}) : tensor<?xf32>
//       CHECK: %[[B:.*]] = bufferization.alloc_tensor() copy(%{{.*}}) : tensor<?xf32>
//       CHECK: scf.for {{.*}} iter_args(%[[C:.*]] = %[[A]], %[[D:.*]] = %[[B]]) -> (tensor<?xf32>, tensor<?xf32>)
//       CHECK: %[[NEXT:.*]] = bufferization.alloc_tensor() copy(%[[D]]) : tensor<?xf32>
//       CHECK: scf.yield %[[NEXT]]
func.func @swaps(%x: !jit.tensor<[4],f32>, %y: !jit.tensor<[2],f32>, %n: i64) -> !jit.tensor<[?],f32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %a = jit.derefine %x : !jit.tensor<[4],f32> to !jit.tensor<[?],f32>
  %b = jit.derefine %y : !jit.tensor<[2],f32> to !jit.tensor<[?],f32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%c = %a, %d = %b) -> (!jit.tensor<[?],f32>, !jit.tensor<[?],f32>) : i64 {
    %e = aten.neg %c : (!jit.tensor<[?],f32>) -> !jit.tensor<[?],f32>
    scf.yield %d, %e : !jit.tensor<[?],f32>, !jit.tensor<[?],f32>
  }
  return %r#0 : !jit.tensor<[?],f32>
}
