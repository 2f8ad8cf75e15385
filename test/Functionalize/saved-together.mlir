// RUN: jit-opt %s --jit-functionalize-tensors --split-input-file --verify-diagnostics

// State that was saved in the memory of other state, and is written under the name that a branch or a loop gives it.

!a = !jit.tensor<[4],f32>
jit.slot @all : !a = #jit.storage<"data/0", 0, [1]> {jit.mutable}
jit.slot @part : !jit.tensor<[2],f32> = #jit.storage<"data/0", 2, [1]>
func.func @branch(%s: !a {jit.slot = "all"}, %x: !a, %c: i1) -> !a
    attributes {jit.outputs = [{slot = "all", value = 0 : i64}]} {
  %y = aten.relu %x : (!a) -> !a
  %b = scf.if %c -> !a {
    scf.yield %y : !a
  } else {
    scf.yield %s : !a
  }
  // expected-error @below {{expected state that is written in place to be saved in memory of its own, got 'part' in the memory of 'all': save a clone() of one}}
  %r = jit.overwrite %b, %x : (!a, !a) -> !a
  return %s : !a
}

// -----

!a = !jit.tensor<[4],f32>
jit.slot @all : !a = #jit.storage<"data/0", 0, [1]> {jit.mutable}
jit.slot @part : !jit.tensor<[2],f32> = #jit.storage<"data/0", 2, [1]>
func.func @loop(%s: !a {jit.slot = "all"}, %x: !a, %n: i64) -> !a
    attributes {jit.outputs = [{slot = "all", value = 0 : i64}]} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %l = scf.for %i = %zero to %n step %one iter_args(%t = %s) -> !a : i64 {
    // expected-error @below {{got 'part' in the memory of 'all'}}
    %r = jit.overwrite %t, %x : (!a, !a) -> !a
    %u = aten.tanh %x : (!a) -> !a
    scf.yield %u : !a
  }
  return %s : !a
}

// -----

!a = !jit.tensor<[4],f32>
jit.slot @all : !a = #jit.storage<"data/0", 0, [1]> {jit.mutable}
jit.slot @part : !jit.tensor<[2],f32> = #jit.storage<"data/0", 2, [1]>
func.func @while(%s: !a {jit.slot = "all"}, %x: !a, %c: i1) -> !a
    attributes {jit.outputs = [{slot = "all", value = 0 : i64}]} {
  %l = scf.while (%t = %s) : (!a) -> !a {
    scf.condition(%c) %t : !a
  } do {
  ^bb0(%t: !a):
    // expected-error @below {{got 'part' in the memory of 'all'}}
    %r = jit.overwrite %t, %x : (!a, !a) -> !a
    %u = aten.tanh %x : (!a) -> !a
    scf.yield %u : !a
  }
  return %s : !a
}

// -----

// What the program made is written, and the state alone is read.
!a = !jit.tensor<[4],f32>
jit.slot @all : !a = #jit.storage<"data/0", 0, [1]> {jit.mutable}
jit.slot @part : !jit.tensor<[2],f32> = #jit.storage<"data/0", 2, [1]>
func.func @other(%s: !a {jit.slot = "all"}, %x: !a) -> !a
    attributes {jit.outputs = [{slot = "all", value = 0 : i64}]} {
  %y = aten.relu %x : (!a) -> !a
  %r = jit.overwrite %y, %s : (!a, !a) -> !a
  return %y : !a
}
