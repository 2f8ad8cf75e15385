// RUN: jit-opt %s --jit-differentiate --canonicalize --cse | FileCheck %s

// What a loop carries in another size each trip cannot be stacked: each trip backwards runs those before it again. A gradient that
// a trip does not give is zeros of the size that the trip was given.

// CHECK-LABEL: func.func @forward
//   CHECK-NOT: jit.poison
//       CHECK: scf.for
//       CHECK: scf.for %{{.*}} iter_args(%[[OFC:.*]] = %{{.*}}, %[[OFD:.*]] = %{{.*}})
//       CHECK:   %[[STATE:.*]]:2 = scf.for
//       CHECK:   %[[ZEROS:.*]] = aten.zeros_like %[[STATE]]#1
//       CHECK:   scf.yield %{{.*}}, %[[ZEROS]]
func.func @forward(%x: !jit.tensor<[4],f32> {jit.requires_grad}) -> (!jit.tensor<[?],f32>, !jit.tensor<[?],f32>) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c3 = arith.constant 3 : i64
  %start = jit.derefine %x : !jit.tensor<[4],f32> to !jit.tensor<[?],f32>
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%c = %start, %d = %start) -> (!jit.tensor<[?],f32>, !jit.tensor<[?],f32>) : i64 {
    %l = jit.list %c, %c : (!jit.tensor<[?],f32>, !jit.tensor<[?],f32>) -> !jit.list<!jit.tensor<[?],f32>>
    %n = aten.cat %l, %c0 : (!jit.list<!jit.tensor<[?],f32>>, i64) -> !jit.tensor<[?],f32>
    %t = aten.tanh %c : (!jit.tensor<[?],f32>) -> !jit.tensor<[?],f32>
    scf.yield %n, %t : !jit.tensor<[?],f32>, !jit.tensor<[?],f32>
  }
  return %r#0, %r#1 : !jit.tensor<[?],f32>, !jit.tensor<[?],f32>
}
