// RUN: jit-opt %s --jit-functionalize-tensors --split-input-file --verify-diagnostics

// The memory of one slot reaches another one through loops, or does not.

// What a loop begins with, which it may hand on.

!m = !jit.tensor<[4],f32>
module attributes {jit.asks_strides} {
  func.func @begins(%x: !m, %n: i64, %c: i1) -> (!m, !m)
      attributes {jit.outputs = [{slot = "s", value = 0 : i64}, {slot = "t", value = 1 : i64}]} {
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %r = aten.relu %x : (!m) -> !m
    // expected-error @below {{expected state in memory of its own in a program that writes in place, got 't' in the memory of 's': set it to a clone()}}
    %q = scf.for %i = %zero to %n step %one iter_args(%a = %r) -> !m : i64 {
      %b = aten.tanh %a : (!m) -> !m
      scf.yield %b : !m
    }
    return %r, %q : !m, !m
  }
}

// -----

// What a trip yields.

!m = !jit.tensor<[4],f32>
module attributes {jit.asks_strides} {
  func.func @yields(%x: !m, %n: i64, %c: i1) -> (!m, !m)
      attributes {jit.outputs = [{slot = "s", value = 0 : i64}, {slot = "t", value = 1 : i64}]} {
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %r = aten.relu %x : (!m) -> !m
    %z = aten.tanh %x : (!m) -> !m
    // expected-error @below {{expected state in memory of its own in a program that writes in place, got 't' in the memory of 's': set it to a clone()}}
    %q = scf.for %i = %zero to %n step %one iter_args(%a = %z) -> !m : i64 {
      scf.yield %r : !m
    }
    return %r, %q : !m, !m
  }
}

// -----

// A loop of which each trip makes a new one has memory of its own.

!m = !jit.tensor<[4],f32>
module attributes {jit.asks_strides} {
  func.func @apart(%x: !m, %n: i64, %c: i1) -> (!m, !m)
      attributes {jit.outputs = [{slot = "s", value = 0 : i64}, {slot = "t", value = 1 : i64}]} {
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %r = aten.relu %x : (!m) -> !m
    %z = aten.tanh %x : (!m) -> !m
    %q = scf.for %i = %zero to %n step %one iter_args(%a = %z) -> !m : i64 {
      %b = aten.tanh %r : (!m) -> !m
      scf.yield %b : !m
    }
    return %r, %q : !m, !m
  }
}

// -----

// What a while loop begins with reaches its result through its condition.

!m = !jit.tensor<[4],f32>
module attributes {jit.asks_strides} {
  func.func @while_begins(%x: !m, %n: i64, %c: i1) -> (!m, !m)
      attributes {jit.outputs = [{slot = "s", value = 0 : i64}, {slot = "t", value = 1 : i64}]} {
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %r = aten.relu %x : (!m) -> !m
    // expected-error @below {{expected state in memory of its own in a program that writes in place, got 't' in the memory of 's': set it to a clone()}}
    %q = scf.while (%a = %r) : (!m) -> !m {
      scf.condition(%c) %a : !m
    } do {
    ^bb0(%a: !m):
      %b = aten.tanh %a : (!m) -> !m
      scf.yield %b : !m
    }
    return %r, %q : !m, !m
  }
}

// -----

// What a trip of a while loop yields.

!m = !jit.tensor<[4],f32>
module attributes {jit.asks_strides} {
  func.func @while_yields(%x: !m, %n: i64, %c: i1) -> (!m, !m)
      attributes {jit.outputs = [{slot = "s", value = 0 : i64}, {slot = "t", value = 1 : i64}]} {
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %r = aten.relu %x : (!m) -> !m
    %z = aten.tanh %x : (!m) -> !m
    // expected-error @below {{expected state in memory of its own in a program that writes in place, got 't' in the memory of 's': set it to a clone()}}
    %q = scf.while (%a = %z) : (!m) -> !m {
      scf.condition(%c) %a : !m
    } do {
    ^bb0(%a: !m):
      scf.yield %r : !m
    }
    return %r, %q : !m, !m
  }
}

// -----

// What the body of a while loop is given, its condition gives.

!m = !jit.tensor<[4],f32>
module attributes {jit.asks_strides} {
  func.func @while_body(%x: !m, %n: i64, %c: i1) -> (!m, !m)
      attributes {jit.outputs = [{slot = "s", value = 0 : i64}, {slot = "t", value = 1 : i64}]} {
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %r = aten.relu %x : (!m) -> !m
    %z = aten.tanh %x : (!m) -> !m
    // expected-error @below {{expected state in memory of its own in a program that writes in place, got 't' in the memory of 's': set it to a clone()}}
    %q = scf.while (%a = %z) : (!m) -> !m {
      scf.condition(%c) %r : !m
    } do {
    ^bb0(%a: !m):
      scf.yield %z : !m
    }
    return %r, %q : !m, !m
  }
}

// -----

// A while loop that makes a new one in each trip, and in its condition.

!m = !jit.tensor<[4],f32>
module attributes {jit.asks_strides} {
  func.func @while_apart(%x: !m, %n: i64, %c: i1) -> (!m, !m)
      attributes {jit.outputs = [{slot = "s", value = 0 : i64}, {slot = "t", value = 1 : i64}]} {
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %r = aten.relu %x : (!m) -> !m
    %z = aten.tanh %x : (!m) -> !m
    %q = scf.while (%a = %z) : (!m) -> !m {
      %d = aten.neg %r : (!m) -> !m
      scf.condition(%c) %d : !m
    } do {
    ^bb0(%a: !m):
      %b = aten.tanh %r : (!m) -> !m
      scf.yield %b : !m
    }
    return %r, %q : !m, !m
  }
}

// -----

// What may be a copy may be the tensor itself.

!m = !jit.tensor<[4],f32>
module attributes {jit.asks_strides} {
  func.func @reshape(%x: !jit.tensor<[2,2],f32> {jit.strides = array<i64: -9223372036854775808, -9223372036854775808>}) -> (!jit.tensor<[2,2],f32>, !m)
      attributes {jit.outputs = [{slot = "s", value = 0 : i64}, {slot = "t", value = 1 : i64}]} {
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %four = arith.constant 4 : i64
    %size = jit.list %four : (i64) -> !jit.list<i64>
    // expected-error @below {{expected state in memory of its own in a program that writes in place, got 't' in the memory of 's': set it to a clone()}}
    %q = aten.reshape %x, %size : (!jit.tensor<[2,2],f32>, !jit.list<i64>) -> !m
    return %x, %q : !jit.tensor<[2,2],f32>, !m
  }
}
