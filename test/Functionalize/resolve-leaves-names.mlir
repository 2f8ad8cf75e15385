// RUN: jit-opt %s --jit-resolve-leaves --split-input-file --verify-diagnostics

// A tensor that comes to require a gradient while it has another name, which would have to come to it too.

func.func @element(%l: !jit.list<!jit.tensor>, %i: i64) -> !jit.list<!jit.tensor> {
  %true = arith.constant true
  %x = aten.__getitem__.t %l, %i : (!jit.list<!jit.tensor>, i64) -> !jit.tensor
  // expected-error@+1 {{expected a tensor that has one name, got one that a branch, a loop or a list hands on and that is used without it too}}
  %0 = aten.requires_grad_ %x, %true : (!jit.tensor, i1) -> !jit.tensor
  return %l : !jit.list<!jit.tensor>
}

// -----

func.func @unpacked(%l: !jit.list<!jit.tensor>) -> !jit.list<!jit.tensor> {
  %true = arith.constant true
  %x = jit.list_unpack %l : (!jit.list<!jit.tensor>) -> !jit.tensor
  // expected-error@+1 {{expected a tensor that has one name}}
  %0 = aten.requires_grad_ %x, %true : (!jit.tensor, i1) -> !jit.tensor
  return %l : !jit.list<!jit.tensor>
}

// -----

// The same slot is read once more.
jit.slot @s : !jit.tensor = #jit.storage<"data/0", 0, [1]>
func.func @read_twice() -> !jit.tensor {
  %true = arith.constant true
  %x = jit.slot_get @s : !jit.tensor
  %y = jit.slot_get @s : !jit.tensor
  // expected-error@+1 {{expected a tensor that has one name}}
  %0 = aten.requires_grad_ %x, %true : (!jit.tensor, i1) -> !jit.tensor
  %1 = aten.neg %y : (!jit.tensor) -> !jit.tensor
  return %1 : !jit.tensor
}

// -----

// Another slot, and another read that is not used behind it, are no names of it.
jit.slot @s : !jit.tensor = #jit.storage<"data/0", 0, [1]>
jit.slot @t : !jit.tensor = #jit.storage<"data/1", 0, [1]>
func.func @read_before() -> !jit.tensor {
  %true = arith.constant true
  %x = jit.slot_get @s : !jit.tensor
  %y = jit.slot_get @s : !jit.tensor
  %t = jit.slot_get @t : !jit.tensor
  %1 = aten.neg %y : (!jit.tensor) -> !jit.tensor
  %0 = aten.requires_grad_ %x, %true : (!jit.tensor, i1) -> !jit.tensor
  %2 = aten.mul.Tensor %1, %t : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %2 : !jit.tensor
}

// -----

// Under a wider type it is the same tensor.
func.func @widened(%x: !jit.tensor<[2],f32>) -> !jit.tensor {
  %true = arith.constant true
  %w = jit.derefine %x : !jit.tensor<[2],f32> to !jit.tensor
  // expected-error@+1 {{expected a tensor that has one name}}
  %0 = aten.requires_grad_ %w, %true : (!jit.tensor, i1) -> !jit.tensor
  %1 = aten.neg %x : (!jit.tensor<[2],f32>) -> !jit.tensor
  return %1 : !jit.tensor
}

// -----

// What a loop began with is its variable in the first trip.
func.func @loop(%x: !jit.tensor, %n: i64) -> !jit.tensor {
  %true = arith.constant true
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r = scf.for %i = %zero to %n step %one iter_args(%t = %x) -> !jit.tensor : i64 {
    // expected-error@+1 {{expected a tensor that has one name}}
    %0 = aten.requires_grad_ %t, %true : (!jit.tensor, i1) -> !jit.tensor
    %u = aten.neg %t : (!jit.tensor) -> !jit.tensor
    scf.yield %u : !jit.tensor
  }
  %1 = aten.neg %x : (!jit.tensor) -> !jit.tensor
  return %1 : !jit.tensor
}

// -----

// Of a branch, where what it hands on is used by nothing else.
func.func @of_branch(%x: !jit.tensor, %y: !jit.tensor, %p: i1) -> !jit.tensor {
  %true = arith.constant true
  %0 = scf.if %p -> !jit.tensor {
    scf.yield %x : !jit.tensor
  } else {
    scf.yield %y : !jit.tensor
  }
  %1 = aten.requires_grad_ %0, %true : (!jit.tensor, i1) -> !jit.tensor
  return %0 : !jit.tensor
}
