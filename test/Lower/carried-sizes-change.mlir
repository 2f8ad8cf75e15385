// RUN: jit-opt %s --jit-lower | FileCheck %s
// RUN: jit-opt %s --jit-lower=carries-sizes=false | FileCheck %s --check-prefix=GUARDED

// Sizes that data tell may change from trip to trip: what is handed on is a copy. What is written in its place is not.
// CHECK-LABEL: func.func @grows
//       CHECK: scf.for {{.*}} -> (tensor<?xi64>, tensor<?xi64>)
//   CHECK-NOT: jit.guard
//       CHECK: %[[N:.*]] = linalg.generic
//       CHECK: %[[C:.*]] = bufferization.alloc_tensor() copy(%{{.*}}) : tensor<?xi64>
//       CHECK: scf.yield %[[C]], %[[N]]
// GUARDED-LABEL: func.func @grows
//   GUARDED-NOT: bufferization.alloc_tensor
//       GUARDED: jit.guard %{{.*}}, "jit.Unsupported", "expected a loop to carry a tensor of one size, got {}, then {}"
func.func @grows(%x: !jit.tensor<[4],f32>, %n: i64) -> !jit.tensor<[?],i64> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %flat = arith.constant 0 : i64
  %places = aten.nonzero %x : (!jit.tensor<[4],f32>) -> !jit.tensor<[?,1],i64>
  %start = aten.squeeze.dim %places, %c1 : (!jit.tensor<[?,1],i64>, i64) -> !jit.tensor<[?],i64>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %start, %b = %start) -> (!jit.tensor<[?],i64>, !jit.tensor<[?],i64>) : i64 {
    %l = jit.list %a, %a : (!jit.tensor<[?],i64>, !jit.tensor<[?],i64>) -> !jit.list<!jit.tensor<[?],i64>>
    %c = aten.cat %l, %flat : (!jit.list<!jit.tensor<[?],i64>>, i64) -> !jit.tensor<[?],i64>
    %d = aten.neg %b : (!jit.tensor<[?],i64>) -> !jit.tensor<[?],i64>
    scf.yield %c, %d : !jit.tensor<[?],i64>, !jit.tensor<[?],i64>
  }
  return %r#0 : !jit.tensor<[?],i64>
}
