// RUN: jit-opt %s --jit-functionalize-tensors --canonicalize --cse | FileCheck %s

!m = !jit.tensor<[2,2],f32>
!r = !jit.tensor<[2],f32>

// In each trip the variable is the transpose of what it was: the loop carries the memory, and where the variable's elements are in it.
// CHECK-LABEL: func.func @turned
// CHECK: %[[Y:.*]] = aten.relu
// CHECK: %[[NUMBERS:.*]] = aten.arange %c4_i64
// CHECK: %[[WHERE:.*]] = aten.reshape %[[NUMBERS]]
// CHECK: %[[FLAT:.*]] = aten.view_copy %[[Y]]
// CHECK: %[[BEGIN:.*]] = aten.slice_scatter %{{.*}}, %[[FLAT]]
// CHECK: %[[LOOP:.*]]:2 = scf.for {{.*}} iter_args(%[[AT:.*]] = %[[WHERE]], %[[MEMORY:.*]] = %[[BEGIN]]) -> (!jit.tensor<[2,2],i64>, !jit.tensor<[4],f32>)
// CHECK: %[[PLACES:.*]] = aten.reshape %[[AT]]
// CHECK: %[[NEXT:.*]] = aten.scatter.src %[[MEMORY]], %c0_i64, %[[PLACES]]
// CHECK: %[[TURNED:.*]] = aten.t %[[AT]]
// CHECK: scf.yield %[[TURNED]], %[[NEXT]]
// CHECK: aten.gather %[[LOOP]]#1
// CHECK: aten.gather %[[LOOP]]#1
func.func @turned(%x: !m, %v: !m, %n: i64) -> (!m, !m) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!m) -> !m
  %r = scf.for %i = %zero to %n step %one iter_args(%t = %y) -> !m : i64 {
    %w = jit.overwrite %t, %v : (!m, !m) -> !m
    %u = aten.t %t : (!m) -> !m
    scf.yield %u : !m
  }
  return %r, %y : !m, !m
}

// Another row in each trip: it is the places of which one takes that row.
// CHECK-LABEL: func.func @place_in_loop
// CHECK: %[[WHERE:.*]] = aten.reshape %{{.*}} -> !jit.tensor<[2,2],i64>
// CHECK: scf.for %[[I:[a-z0-9]+]] = {{.*}} -> (!jit.tensor<[2],i64>, !jit.tensor<[6],f32>)
// CHECK: aten.scatter.src
// CHECK: aten.select.int %[[WHERE]], %c0_i64, %[[I]]
func.func @place_in_loop(%x: !m, %v: !r, %o: !r, %n: i64) -> (!r, !m) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!m) -> !m
  %z = aten.relu %o : (!r) -> !r
  %r = scf.for %i = %zero to %n step %one iter_args(%t = %z) -> !r : i64 {
    %w = jit.overwrite %t, %v : (!r, !r) -> !r
    %u = aten.select.int %y, %zero, %i : (!m, i64, i64) -> !r
    scf.yield %u : !r
  }
  return %r, %y : !r, !m
}

// A row whose number only a way of a branch computes: both ways give places, and the memory.
// CHECK-LABEL: func.func @place_in_branch
// CHECK: scf.if %{{.*}} -> (!jit.tensor<[2],i64>, !jit.tensor<[6],f32>)
func.func @place_in_branch(%x: !m, %v: !r, %c: i1, %n: i64, %o: !r) -> (!m, !r) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!m) -> !m
  %b = scf.if %c -> !r {
    %k = scf.for %i = %zero to %n step %one iter_args(%j = %zero) -> i64 : i64 {
      %next = arith.addi %j, %i : i64
      scf.yield %next : i64
    }
    %s = aten.select.int %y, %zero, %k : (!m, i64, i64) -> !r
    scf.yield %s : !r
  } else {
    %z = aten.tanh %o : (!r) -> !r
    scf.yield %z : !r
  }
  %w = jit.overwrite %b, %v : (!r, !r) -> !r
  return %y, %b : !m, !r
}

// What a trip makes, and both variables take over, one of them transposed, lies behind what was there before the loop. At the end of the trip it moves to the parts of the
// variables, and its places become those of the first of the two, for both of them.
// CHECK-LABEL: func.func @of_trip
// CHECK: scf.for {{.*}} iter_args(%[[T:.*]] = %{{.*}}, %[[U:.*]] = %{{.*}}, %[[MEMORY:.*]] = %{{.*}}) -> (!jit.tensor<[2,2],i64>, !jit.tensor<[2,2],i64>, !jit.tensor<[16],f32>)
// CHECK: %[[NEW:.*]] = aten.tanh
// CHECK: %[[MADE:.*]] = aten.slice_scatter %{{.*}}, %{{.*}}, %c0_i64, %c4_i64, %c8_i64
// CHECK: %[[FIRST:.*]] = aten.gather %[[MADE]]
// CHECK: %[[MOVED:.*]] = aten.slice_scatter %[[MADE]], %[[FIRST]], %c0_i64, %c8_i64, %c12_i64
// CHECK: %[[SECOND:.*]] = aten.gather %[[MADE]]
// CHECK: %[[END:.*]] = aten.slice_scatter %[[MOVED]], %[[SECOND]], %c0_i64, %c12_i64, %c16_i64
// CHECK: %[[ONE:.*]] = aten.scatter.src
// CHECK: %[[BOTH:.*]] = aten.scatter.src %[[ONE]]
// CHECK: aten.slice.Tensor %[[BOTH]], %c0_i64, %c4_i64, %c16_i64
// CHECK: scf.yield %{{.*}}, %{{.*}}, %[[END]]
func.func @of_trip(%x: !m, %v: !r, %n: i64) -> (!m, !m) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!m) -> !m
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%t = %y, %u = %y) -> (!m, !m) : i64 {
    %row = aten.select.int %t, %zero, %i : (!m, i64, i64) -> !r
    %w = jit.overwrite %row, %v : (!r, !r) -> !r
    %new = aten.tanh %u : (!m) -> !m
    %turned = aten.t %new : (!m) -> !m
    %other = aten.alias %new : (!m) -> !m
    scf.yield %turned, %other : !m, !m
  }
  return %r#0, %r#1 : !m, !m
}

// The caller's argument is written where the name may be it.
// CHECK-LABEL: func.func @argument
// CHECK-SAME: -> (!jit.tensor<[2,2],f32>, !jit.tensor<[2,2],f32> {jit.mutates = array<i64: 0>})
func.func @argument(%x: !m, %v: !r, %n: i64) -> !m {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r = scf.for %i = %zero to %n step %one iter_args(%t = %x) -> !m : i64 {
    %row = aten.select.int %t, %zero, %one : (!m, i64, i64) -> !r
    %w = jit.overwrite %row, %v : (!r, !r) -> !r
    %turned = aten.t %t : (!m) -> !m
    scf.yield %turned : !m
  }
  return %r : !m
}

// Rows that are one, in one way of a branch alone: a call in which two of the places that are written are one ends.
// CHECK-LABEL: func.func @rows_that_may_be_one
// CHECK: %[[WRITERS:.*]] = aten.scatter.src
// CHECK: %[[LAST:.*]] = aten.gather %[[WRITERS]]
// CHECK: %[[SAME:.*]] = aten.eq.Tensor %[[LAST]]
// CHECK: %[[ALL:.*]] = aten.all %[[SAME]]
// CHECK: %[[APART:.*]] = aten.item %[[ALL]]
// CHECK: jit.guard %[[APART]], "jit.Unsupported", "expected a write to elements each of which has a place of its own
func.func @rows_that_may_be_one(%x: !m, %v: !m, %c: i1) -> !m {
  %two = arith.constant 2 : i64
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %size = jit.list %two, %two : (i64, i64) -> !jit.list<i64>
  %y = aten.relu %x : (!m) -> !m
  %b = scf.if %c -> !m {
    %row = aten.select.int %y, %zero, %zero : (!m, i64, i64) -> !r
    %rows = aten.expand %row, %size, %false : (!r, !jit.list<i64>, i1) -> !m
    scf.yield %rows : !m
  } else {
    scf.yield %y : !m
  }
  %w = jit.overwrite %b, %v : (!m, !m) -> !m
  return %y : !m
}

// What is picked out of a list is where that element is.
// CHECK-LABEL: func.func @picked
// CHECK: scf.for %[[I:[a-z0-9]+]] = {{.*}} iter_args(%[[AT:.*]] = %{{.*}}, %{{.*}} = %{{.*}})
// CHECK: %[[TURNED:.*]] = aten.t %[[AT]]
// CHECK: %[[LIST:.*]] = jit.list %[[TURNED]], %[[AT]] : (!jit.tensor<[2,2],i64>, !jit.tensor<[2,2],i64>)
// CHECK: %[[NEXT:.*]] = aten.__getitem__.t %[[LIST]], %[[I]]
// CHECK: scf.yield %[[NEXT]]
func.func @picked(%x: !m, %v: !m, %n: i64) -> (!m, !m) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!m) -> !m
  %r = scf.for %i = %zero to %n step %one iter_args(%t = %y) -> !m : i64 {
    %w = jit.overwrite %t, %v : (!m, !m) -> !m
    %u = aten.t %t : (!m) -> !m
    %both = jit.list %u, %t : (!m, !m) -> !jit.list<!m>
    %next = aten.__getitem__.t %both, %i : (!jit.list<!m>, i64) -> !m
    scf.yield %next : !m
  }
  return %r, %y : !m, !m
}
