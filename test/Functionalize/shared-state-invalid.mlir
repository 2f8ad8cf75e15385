// RUN: jit-opt %s --jit-functionalize-tensors --split-input-file --verify-diagnostics

!m = !jit.tensor<[2],f32>

// Two slots in one memory: a write of the next call would have to be seen in both.
module attributes {jit.asks_strides} {
  func.func @both(%s: !m {jit.slot = "s"}, %t: !m {jit.slot = "t"}, %x: !m) -> (!m, !m)
      attributes {jit.outputs = [{slot = "s", value = 0 : i64}, {slot = "t", value = 1 : i64}]} {
    // expected-error @below {{expected state in memory of its own in a program that writes in place, got 't' in the memory of 's': set it to a clone()}}
    %r = aten.relu %x : (!m) -> !m
    return %r, %r : !m, !m
  }
}

// -----

!m = !jit.tensor<[2],f32>

// That of a slot which no method sets.
module attributes {jit.asks_strides} {
  jit.slot @t : !m = dense<0.0> : tensor<2xf32>
  func.func @other(%s: !m {jit.slot = "s"}) -> !m attributes {jit.outputs = [{slot = "s", value = 0 : i64}]} {
    // expected-error @below {{got 's' in the memory of 't'}}
    %t = jit.slot_get @t : !m
    return %t : !m
  }
}

// -----

!m = !jit.tensor<[2],f32>

// Of a branch it may be either.
module attributes {jit.asks_strides} {
  // expected-error @below {{got 't' in the memory of 's'}}
  func.func @branch(%s: !m {jit.slot = "s"}, %t: !m {jit.slot = "t"}, %c: i1) -> !m
      attributes {jit.outputs = [{slot = "s", value = 0 : i64}]} {
    %r = scf.if %c -> !m {
      scf.yield %s : !m
    } else {
      scf.yield %t : !m
    }
    return %r : !m
  }
}

// -----

!m = !jit.tensor<[2],f32>

// What one slot was and another one is: each has its own.
module attributes {jit.asks_strides} {
  func.func @moved(%s: !m {jit.slot = "s"}, %t: !m {jit.slot = "t"}, %x: !m) -> (!m, !m)
      attributes {jit.outputs = [{slot = "s", value = 0 : i64}, {slot = "t", value = 1 : i64}]} {
    %r = aten.relu %x : (!m) -> !m
    return %t, %r : !m, !m
  }
}

// -----

!m = !jit.tensor<[2],f32>

// Neither has all of the memory of both.
module attributes {jit.asks_strides} {
  jit.slot @s : !m = dense<0.0> : tensor<2xf32> {jit.assigned, jit.mutable, jit.shares = "s"}
  jit.slot @t : !m = dense<0.0> : tensor<2xf32> {jit.assigned, jit.mutable, jit.shares = "s"}
  func.func @parts(%x: !jit.tensor<[4],f32>) -> (!m, !m)
      attributes {jit.outputs = [{slot = "s", value = 0 : i64}, {slot = "t", value = 1 : i64}]} {
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %two = arith.constant 2 : i64
    %three = arith.constant 3 : i64
    %a = aten.slice.Tensor %x, %zero, %zero, %two, %one : (!jit.tensor<[4],f32>, i64, i64, i64, i64) -> !m
    // expected-error @below {{got 't' in the memory of 's'}}
    %b = aten.slice.Tensor %x, %zero, %one, %three, %one : (!jit.tensor<[4],f32>, i64, i64, i64, i64) -> !m
    return %a, %b : !m, !m
  }
}

// -----

!m = !jit.tensor<[2],f32>

// Where nothing is written in place nobody sees it.
func.func @functional(%s: !m {jit.slot = "s"}, %t: !m {jit.slot = "t"}, %x: !m) -> (!m, !m)
    attributes {jit.outputs = [{slot = "s", value = 0 : i64}, {slot = "t", value = 1 : i64}]} {
  %r = aten.relu %x : (!m) -> !m
  return %r, %r : !m, !m
}

// -----

// State that was saved as a part of other state: what is written in place would have to be seen in that.
jit.slot @all : !jit.tensor<[4],f32> = #jit.storage<"data/0", 0, [1]> {jit.mutable}
jit.slot @part : !jit.tensor<[2],f32> = #jit.storage<"data/0", 2, [1]>
func.func @saved(%s: !jit.tensor<[4],f32> {jit.slot = "all"}, %x: !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    attributes {jit.outputs = [{slot = "all", value = 0 : i64}]} {
  // expected-error @below {{expected state that is written in place to be saved in memory of its own, got 'part' in the memory of 'all': save a clone() of one}}
  %r = jit.overwrite %s, %x : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  return %r : !jit.tensor<[4],f32>
}

// -----

!m = !jit.tensor<[2],f32>

// A write of the next call to one element of it would have to be seen in both.
module attributes {jit.asks_strides} {
  func.func @repeated(%s: !m {jit.slot = "s"}, %x: !jit.tensor<[1],f32>, %n: i64) -> !m
      attributes {jit.outputs = [{slot = "s", value = 0 : i64}]} {
    %two = arith.constant 2 : i64
    %no = arith.constant false
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %sizes = jit.list %two : (i64) -> !jit.list<i64>
    // expected-error @below {{expected state that is written in place to have a place for each element, got 's', a view that shows elements more than once: set it to a clone()}}
    %r = scf.for %i = %zero to %n step %one iter_args(%t = %s) -> !m : i64 {
      %wide = aten.expand %x, %sizes, %no : (!jit.tensor<[1],f32>, !jit.list<i64>, i1) -> !m
      scf.yield %wide : !m
    }
    return %r : !m
  }
}
