// RUN: jit-opt %s --jit-functionalize-tensors --split-input-file --verify-diagnostics

// What no condition tells, of open sizes: carried-places.mlir has the same of known ones.

// A place that only a way of a branch computes.

!m = !jit.tensor<[?,?],f32>
!r = !jit.tensor<[?],f32>
func.func @place_in_branch(%x: !m, %v: !r, %c: i1, %n: i64, %o: !r) -> (!m, !r) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!m) -> !m
  %b = scf.if %c -> !r {
    %k = scf.for %i = %zero to %n step %one iter_args(%j = %zero) -> i64 : i64 {
      %next = arith.addi %j, %i : i64
      scf.yield %next : i64
    }
    // expected-note @below {{it may be this view, whose place only a branch knows}}
    %s = aten.select.int %y, %zero, %k : (!m, i64, i64) -> !r
    scf.yield %s : !r
  } else {
    %z = aten.tanh %o : (!r) -> !r
    scf.yield %z : !r
  }
  // expected-error @below {{expected to know which memory is written in place}}
  %w = jit.overwrite %b, %v : (!r, !r) -> !r
  return %y, %b : !m, !r
}

// -----

// In each trip the transpose of what the variable was.

!m = !jit.tensor<[?,?],f32>
func.func @turned(%x: !m, %v: !m, %n: i64) -> (!m, !m) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!m) -> !m
  %r = scf.for %i = %zero to %n step %one iter_args(%t = %y) -> !m : i64 {
    // expected-error @below {{expected to know which memory is written in place}}
    %w = jit.overwrite %t, %v : (!m, !m) -> !m
    // expected-note @below {{a variable of a loop is a view of what it was before}}
    %u = aten.t %t : (!m) -> !m
    scf.yield %u : !m
  }
  return %r, %y : !m, !m
}

// -----

// Another row in each trip.

!m = !jit.tensor<[?,?],f32>
!r = !jit.tensor<[?],f32>
func.func @place_in_loop(%x: !m, %v: !r, %o: !r, %n: i64) -> (!r, !m) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!m) -> !m
  %z = aten.relu %o : (!r) -> !r
  %r = scf.for %i = %zero to %n step %one iter_args(%t = %z) -> !r : i64 {
    // expected-error @below {{expected to know which memory is written in place}}
    %w = jit.overwrite %t, %v : (!r, !r) -> !r
    // expected-note @below {{it may be this view, whose place only a loop knows}}
    %u = aten.select.int %y, %zero, %i : (!m, i64, i64) -> !r
    scf.yield %u : !r
  }
  return %r, %y : !r, !m
}

// -----

// A detached tensor has a history of gradients of its own.

!m = !jit.tensor<[2,2],f32>
func.func @detached(%x: !m, %v: !m, %n: i64) -> (!m, !m) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!m) -> !m
  %r = scf.for %i = %zero to %n step %one iter_args(%t = %y) -> !m : i64 {
    // expected-error @below {{expected to know which memory is written in place}}
    %w = jit.overwrite %t, %v : (!m, !m) -> !m
    %d = aten.detach %t : (!m) -> !m
    // expected-note @below {{a variable of a loop is a view of what it was before}}
    %u = aten.t %d : (!m) -> !m
    scf.yield %u : !m
  }
  return %r, %y : !m, !m
}

// -----

// Windows that may overlap, of a variable whose strides only a loop knows.

!m = !jit.tensor<[3,3],f32>
func.func @windows(%x: !m, %v: !jit.tensor<[2,3,2],f32>, %n: i64) -> (!m, !m) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %y = aten.relu %x : (!m) -> !m
  %r = scf.for %i = %zero to %n step %one iter_args(%t = %y) -> !m : i64 {
    %windows = aten.unfold %t, %zero, %two, %one : (!m, i64, i64, i64) -> !jit.tensor<[2,3,2],f32>
    // expected-error @below {{expected to know which memory is written in place}}
    %w = jit.overwrite %windows, %v : (!jit.tensor<[2,3,2],f32>, !jit.tensor<[2,3,2],f32>) -> !jit.tensor<[2,3,2],f32>
    // expected-note @below {{a variable of a loop is a view of what it was before}}
    %u = aten.t %t : (!m) -> !m
    scf.yield %u : !m
  }
  return %r, %y : !m, !m
}

// -----

// Each name may be either of two views of the one before it, each of which shows other elements.

!m = !jit.tensor<[?,?],f32>
func.func @too_many(%x: !m, %v: !m, %n: i64, %c0: i1, %c1: i1, %c2: i1, %c3: i1, %c4: i1, %c5: i1, %c6: i1, %c7: i1) -> (!m, !m) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %none = jit.constant !jit.none = unit
  %w = aten.relu %x : (!m) -> !m
  %r = scf.for %i = %zero to %n step %one iter_args(%p = %w) -> !m : i64 {
    %0 = scf.if %c0 -> !m {
      %t = aten.t %p : (!m) -> !m
      scf.yield %t : !m
    } else {
      %t = aten.slice.Tensor %p, %zero, %one, %none, %one : (!m, i64, i64, !jit.none, i64) -> !m
      scf.yield %t : !m
    }
    %1 = scf.if %c1 -> !m {
      %t = aten.t %0 : (!m) -> !m
      scf.yield %t : !m
    } else {
      %t = aten.slice.Tensor %0, %zero, %one, %none, %one : (!m, i64, i64, !jit.none, i64) -> !m
      scf.yield %t : !m
    }
    %2 = scf.if %c2 -> !m {
      %t = aten.t %1 : (!m) -> !m
      scf.yield %t : !m
    } else {
      %t = aten.slice.Tensor %1, %zero, %one, %none, %one : (!m, i64, i64, !jit.none, i64) -> !m
      scf.yield %t : !m
    }
    %3 = scf.if %c3 -> !m {
      %t = aten.t %2 : (!m) -> !m
      scf.yield %t : !m
    } else {
      %t = aten.slice.Tensor %2, %zero, %one, %none, %one : (!m, i64, i64, !jit.none, i64) -> !m
      scf.yield %t : !m
    }
    %4 = scf.if %c4 -> !m {
      %t = aten.t %3 : (!m) -> !m
      scf.yield %t : !m
    } else {
      %t = aten.slice.Tensor %3, %zero, %one, %none, %one : (!m, i64, i64, !jit.none, i64) -> !m
      scf.yield %t : !m
    }
    %5 = scf.if %c5 -> !m {
      %t = aten.t %4 : (!m) -> !m
      scf.yield %t : !m
    } else {
      %t = aten.slice.Tensor %4, %zero, %one, %none, %one : (!m, i64, i64, !jit.none, i64) -> !m
      scf.yield %t : !m
    }
    %6 = scf.if %c6 -> !m {
      %t = aten.t %5 : (!m) -> !m
      scf.yield %t : !m
    } else {
      %t = aten.slice.Tensor %5, %zero, %one, %none, %one : (!m, i64, i64, !jit.none, i64) -> !m
      scf.yield %t : !m
    }
    // expected-note @below {{it may be one of more than 128 tensors}}
    %7 = scf.if %c7 -> !m {
      %t = aten.t %6 : (!m) -> !m
      scf.yield %t : !m
    } else {
      %t = aten.slice.Tensor %6, %zero, %zero, %none, %one : (!m, i64, i64, !jit.none, i64) -> !m
      scf.yield %t : !m
    }
    scf.yield %7 : !m
  }
  // expected-error @below {{expected to know which memory is written in place}}
  %o = jit.overwrite %r, %v : (!m, !m) -> !m
  return %w, %r : !m, !m
}
