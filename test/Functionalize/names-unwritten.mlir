// What is written before it gets other names, and never after, is no name of several memories: nothing asks which one it is.
// RUN: jit-opt %s --jit-functionalize-tensors --cse --split-input-file | FileCheck %s --implicit-check-not=arith.select --implicit-check-not="i1)"

!m = !jit.tensor<[2,2],f32>

// CHECK-LABEL: func.func @of_a_branch
// CHECK: scf.if %{{.*}} -> (!jit.tensor<[2,2],f32>) {
func.func @of_a_branch(%c: i1, %x: !m, %y: !m) -> !m {
  %z = aten.relu %x : (!m) -> !m
  %w = jit.overwrite %z, %y : (!m, !m) -> !m
  %r = scf.if %c -> (!m) {
    scf.yield %z : !m
  } else {
    scf.yield %x : !m
  }
  return %r : !m
}

// -----

!m = !jit.tensor<[2,2],f32>

// CHECK-LABEL: func.func @of_trips
// CHECK: scf.for {{.*}} -> (!jit.tensor<[2,2],f32>, !jit.tensor<[2,2],f32>) : i64 {
func.func @of_trips(%x: !m, %y: !m, %n: i64) -> !m {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %z = aten.relu %x : (!m) -> !m
  %w = jit.overwrite %z, %y : (!m, !m) -> !m
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%a = %z, %b = %x) -> (!m, !m) : i64 {
    scf.yield %b, %a : !m, !m
  }
  return %r#0 : !m
}

// -----

!m = !jit.tensor<[2,2],f32>

// CHECK-LABEL: func.func @of_trips_that_data_end
// CHECK: scf.while {{.*}} -> (!jit.tensor<[2,2],f32>, !jit.tensor<[2,2],f32>) {
func.func @of_trips_that_data_end(%c: i1, %x: !m, %y: !m) -> !m {
  %z = aten.relu %x : (!m) -> !m
  %w = jit.overwrite %z, %y : (!m, !m) -> !m
  %r:2 = scf.while (%a = %z, %b = %x) : (!m, !m) -> (!m, !m) {
    scf.condition(%c) %a, %b : !m, !m
  } do {
  ^bb0(%a: !m, %b: !m):
    scf.yield %b, %a : !m, !m
  }
  return %r#0 : !m
}

// -----

!m = !jit.tensor<[2,2],f32>

// A loop in a loop hands on what was written before both.
// CHECK-LABEL: func.func @of_trips_in_trips
// CHECK: scf.for {{.*}} -> (!jit.tensor<[2,2],f32>, !jit.tensor<[2,2],f32>) : i64 {
// CHECK: scf.for {{.*}} -> (!jit.tensor<[2,2],f32>, !jit.tensor<[2,2],f32>) : i64 {
func.func @of_trips_in_trips(%x: !m, %y: !m, %n: i64) -> !m {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %z = aten.relu %x : (!m) -> !m
  %w = jit.overwrite %z, %y : (!m, !m) -> !m
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%a = %z, %b = %x) -> (!m, !m) : i64 {
    %s:2 = scf.for %j = %zero to %n step %one iter_args(%c = %a, %d = %b) -> (!m, !m) : i64 {
      scf.yield %d, %c : !m, !m
    }
    scf.yield %s#1, %s#0 : !m, !m
  }
  return %r#0 : !m
}
