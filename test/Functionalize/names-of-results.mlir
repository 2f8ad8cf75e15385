// RUN: jit-opt %s --jit-functionalize-tensors --canonicalize --cse | FileCheck %s

!m = !jit.tensor<[2,2],f32>

// Two results of a loop are one memory after its first trip. The next loop writes to the one, which nothing reads any more, and has to be seen in the
// other.
// CHECK-LABEL: func.func @two_that_may_be_one
//       CHECK: %[[L:[0-9]+]]:3 = scf.while
//       CHECK: %[[WRITTEN:[0-9]+]]:{{[0-9]+}} = scf.for {{.*}} iter_args(%{{.*}} = %[[L]]#0
//       CHECK: %[[SEEN:[0-9]+]] = arith.select %[[L]]#2, %[[WRITTEN]]#{{[0-9]+}}, %[[L]]#1
//       CHECK: return %[[SEEN]]
func.func @two_that_may_be_one(%x: !m, %c: i1, %n: i64) -> (!m, !m) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.tanh %x : (!m) -> !m
  %z = aten.relu %x : (!m) -> !m
  %l:2 = scf.while (%p = %y, %q = %z) : (!m, !m) -> (!m, !m) {
    scf.condition(%c) %p, %q : !m, !m
  } do {
  ^bb0(%p: !m, %q: !m):
    %s = aten.sin %q : (!m) -> !m
    scf.yield %s, %s : !m, !m
  }
  %f = scf.for %i = %zero to %n step %one iter_args(%r = %l#0) -> (!m) : i64 {
    %v = aten.exp %r : (!m) -> !m
    %w = jit.overwrite %r, %v : (!m, !m) -> !m
    %t = aten.cos %r : (!m) -> !m
    scf.yield %t : !m
  }
  return %l#1, %f : !m, !m
}
