// RUN: jit-opt %s --jit-functionalize-tensors --canonicalize --cse | FileCheck %s

// What else a function writes, or has, is not put into the one memory, and does not keep places from being carried.

!m = !jit.tensor<[2,2],f32>

// Another tensor is written with what is asked of out=.
// CHECK-LABEL: func.func @other_write(
// CHECK: aten.zeros {{.*}} -> !jit.tensor<[4],f32>
// CHECK: scf.for {{.*}} -> (!jit.tensor<[2,2],i64>, !jit.tensor<[4],f32>)
// CHECK: return
func.func @other_write(%x: !m, %v: !m, %n: i64) -> (!m, !m, !m) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!m) -> !m
  %z = aten.tanh %x : (!m) -> !m
  %u = jit.overwrite %z, %v {jit.out} : (!m, !m) -> !m
  %r = scf.for %i = %zero to %n step %one iter_args(%t = %y) -> !m : i64 {
    %w = jit.overwrite %t, %v : (!m, !m) -> !m
    %k = aten.t %t : (!m) -> !m
    scf.yield %k : !m
  }
  return %y, %r, %z : !m, !m, !m
}

// A name that is known to be a copy has memory of its own.
// CHECK-LABEL: func.func @copy(
// CHECK: aten.zeros {{.*}} -> !jit.tensor<[4],f32>
// CHECK: %[[COPY:.*]] = aten.reshape %{{.*}} -> !jit.tensor<[4],f32>
// CHECK: %[[FLAT:.*]] = aten.view_copy %[[COPY]]
// CHECK: scf.for
func.func @copy(%x: !m, %v: !m, %n: i64) -> (!m, !m) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %four = arith.constant 4 : i64
  %flat = jit.list %four : (i64) -> !jit.list<i64>
  %size = jit.list %two, %two : (i64, i64) -> !jit.list<i64>
  %a = aten.mm %x, %x : (!m, !m) -> !m
  %turned = aten.t %a : (!m) -> !m
  %row = aten.reshape %turned, %flat : (!m, !jit.list<i64>) -> !jit.tensor<[4],f32>
  %y = aten.view %row, %size : (!jit.tensor<[4],f32>, !jit.list<i64>) -> !m
  %r = scf.for %i = %zero to %n step %one iter_args(%t = %y) -> !m : i64 {
    %w = jit.overwrite %t, %v : (!m, !m) -> !m
    %k = aten.t %t : (!m) -> !m
    scf.yield %k : !m
  }
  return %y, %r : !m, !m
}

// State is no argument that the caller has; it is not handed back as one.
// CHECK-LABEL: func.func @state(
// CHECK-NOT: jit.mutates
// CHECK: scf.for {{.*}} -> (!jit.tensor<[2,2],i64>, !jit.tensor<[4],f32>)
// CHECK: return
func.func @state(%s: !m {jit.slot = "s"}, %v: !m, %n: i64) -> (!m, !m) attributes {jit.outputs = [{slot = "s", value = 0 : i64}, {value = 1 : i64}]} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r = scf.for %i = %zero to %n step %one iter_args(%t = %s) -> !m : i64 {
    %w = jit.overwrite %t, %v : (!m, !m) -> !m
    %k = aten.t %t : (!m) -> !m
    scf.yield %k : !m
  }
  return %s, %r : !m, !m
}
