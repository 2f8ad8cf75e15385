// RUN: jit-opt %s --jit-functionalize-tensors --canonicalize --cse | FileCheck %s

!m = !jit.tensor<[2,2],f32>

// Each trip takes the same memory of outside of the loop: what the one has written to it, the next one finds there.
// CHECK-LABEL: func.func @taken_again
//       CHECK: %[[T:[0-9]+]] = aten.tanh
//       CHECK: scf.for {{.*}} iter_args(%[[P:[a-z0-9]+]] = %{{[0-9]+}}, %[[IS:[a-z0-9]+]] = %false{{[_0-9]*}}, %[[NOW:[a-z0-9]+]] = %[[T]])
//       CHECK:   %[[V:[0-9]+]] = aten.exp
//       CHECK:   %[[SEEN:[0-9]+]] = arith.select %[[IS]], %[[V]], %[[NOW]]
//       CHECK:   scf.yield %{{[0-9]+}}, %{{[0-9]+}}, %[[SEEN]]
func.func @taken_again(%x: !m, %c: i1, %n: i64) -> !m {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %s = aten.sin %x : (!m) -> !m
  %t = aten.tanh %x : (!m) -> !m
  %l = scf.for %i = %zero to %n step %one iter_args(%p = %s) -> (!m) : i64 {
    %v = aten.exp %p : (!m) -> !m
    %w = jit.overwrite %p, %v : (!m, !m) -> !m
    %q = scf.if %c -> (!m) {
      scf.yield %t : !m
    } else {
      scf.yield %p : !m
    }
    scf.yield %q : !m
  }
  return %l : !m
}
