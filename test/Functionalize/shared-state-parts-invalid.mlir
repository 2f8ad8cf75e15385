// RUN: jit-opt %s --jit-functionalize-tensors --split-input-file --verify-diagnostics

// Slots that a call leaves in one memory, of which the next call cannot be told that they are parts of it. shared-state.mlir has two of which it can.

// A parameter, which has gradients.

!m = !jit.tensor<[4],f32>
module attributes {jit.asks_strides} {
  jit.slot parameter @s : !m = dense<0.0> : tensor<4xf32> {jit.assigned, jit.mutable, jit.shares = "s"}
  jit.slot @t : !m = dense<0.0> : tensor<4xf32> {jit.assigned, jit.mutable, jit.shares = "s"}
  func.func @set(%x: !m) -> (!m, !m)
      attributes {jit.outputs = [{slot = "s", value = 0 : i64}, {slot = "t", value = 1 : i64}]} {
    // expected-error @below {{expected state in memory of its own in a program that writes in place, got 't' in the memory of 's': set it to a clone()}}
    %r = aten.relu %x : (!m) -> !m
    return %r, %r : !m, !m
  }
}

// -----

// One of which it is not known yet that calls may leave it there.

!m = !jit.tensor<[4],f32>
module attributes {jit.asks_strides} {
  jit.slot @s : !m = dense<0.0> : tensor<4xf32> {jit.assigned, jit.mutable}
  jit.slot @t : !m = dense<0.0> : tensor<4xf32> {jit.assigned, jit.mutable, jit.shares = "s"}
  func.func @set(%x: !m) -> (!m, !m)
      attributes {jit.outputs = [{slot = "s", value = 0 : i64}, {slot = "t", value = 1 : i64}]} {
    // expected-error @below {{expected state in memory of its own in a program that writes in place, got 't' in the memory of 's': set it to a clone()}}
    %r = aten.relu %x : (!m) -> !m
    return %r, %r : !m, !m
  }
}

// -----

// Complex numbers, whose places count otherwise once they are pairs.

!m = !jit.tensor<[4],complex<f32>>
module attributes {jit.asks_strides} {
  jit.slot @s : !m = dense<(0.0, 0.0)> : tensor<4xcomplex<f32>> {jit.assigned, jit.mutable, jit.shares = "s"}
  jit.slot @t : !m = dense<(0.0, 0.0)> : tensor<4xcomplex<f32>> {jit.assigned, jit.mutable, jit.shares = "s"}
  func.func @set(%x: !m) -> (!m, !m)
      attributes {jit.outputs = [{slot = "s", value = 0 : i64}, {slot = "t", value = 1 : i64}]} {
    // expected-error @below {{expected state in memory of its own in a program that writes in place, got 't' in the memory of 's': set it to a clone()}}
    %r = aten.neg %x : (!m) -> !m
    return %r, %r : !m, !m
  }
}

// -----

// Sizes that are open.

!m = !jit.tensor<[?],f32>
module attributes {jit.asks_strides} {
  jit.slot @s : !m = dense<0.0> : tensor<4xf32> {jit.assigned, jit.mutable, jit.shares = "s"}
  jit.slot @t : !m = dense<0.0> : tensor<4xf32> {jit.assigned, jit.mutable, jit.shares = "s"}
  func.func @set(%x: !m) -> (!m, !m)
      attributes {jit.outputs = [{slot = "s", value = 0 : i64}, {slot = "t", value = 1 : i64}]} {
    // expected-error @below {{expected state in memory of its own in a program that writes in place, got 't' in the memory of 's': set it to a clone()}}
    %r = aten.relu %x : (!m) -> !m
    return %r, %r : !m, !m
  }
}

// -----

// No element, which has no place.

!m = !jit.tensor<[0],f32>
module attributes {jit.asks_strides} {
  jit.slot @s : !m = dense<0.0> : tensor<4xf32> {jit.assigned, jit.mutable, jit.shares = "s"}
  jit.slot @t : !m = dense<0.0> : tensor<4xf32> {jit.assigned, jit.mutable, jit.shares = "s"}
  func.func @set(%x: !m) -> (!m, !m)
      attributes {jit.outputs = [{slot = "s", value = 0 : i64}, {slot = "t", value = 1 : i64}]} {
    // expected-error @below {{expected state in memory of its own in a program that writes in place, got 't' in the memory of 's': set it to a clone()}}
    %r = aten.relu %x : (!m) -> !m
    return %r, %r : !m, !m
  }
}

// -----

// The numbers that complex ones are made of.

!m = !jit.tensor<[4,2],f32>
module attributes {jit.asks_strides} {
  jit.slot @s : !m = dense<0.0> : tensor<4x2xf32> {jit.assigned, jit.mutable, jit.shares = "s"}
  jit.slot @t : !m = dense<0.0> : tensor<4x2xf32> {jit.assigned, jit.mutable, jit.shares = "s"}
  func.func @set(%x: !jit.tensor<[4],complex<f32>>) -> (!m, !m)
      attributes {jit.outputs = [{slot = "s", value = 0 : i64}, {slot = "t", value = 1 : i64}]} {
    %r = aten.neg %x : (!jit.tensor<[4],complex<f32>>) -> !jit.tensor<[4],complex<f32>>
    // expected-error @below {{expected state in memory of its own in a program that writes in place, got 't' in the memory of 's': set it to a clone()}}
    %v = aten.view_as_real %r : (!jit.tensor<[4],complex<f32>>) -> !m
    return %v, %v : !m, !m
  }
}

// -----

// A row that data choose.

!m = !jit.tensor<[4],f32>
module attributes {jit.asks_strides} {
  jit.slot @s : !m = dense<0.0> : tensor<4xf32> {jit.assigned, jit.mutable, jit.shares = "s"}
  jit.slot @t : !m = dense<0.0> : tensor<4xf32> {jit.assigned, jit.mutable, jit.shares = "s"}
  func.func @set(%x: !jit.tensor<[3,4],f32>, %n: i64) -> (!m, !jit.tensor<[3,4],f32>)
      attributes {jit.outputs = [{slot = "s", value = 0 : i64}, {slot = "t", value = 1 : i64}]} {
    %zero = arith.constant 0 : i64
    // expected-error @below {{expected state in memory of its own in a program that writes in place, got 't' in the memory of 's': set it to a clone()}}
    %r = aten.relu %x : (!jit.tensor<[3,4],f32>) -> !jit.tensor<[3,4],f32>
    %row = aten.select.int %r, %zero, %n : (!jit.tensor<[3,4],f32>, i64, i64) -> !m
    return %row, %r : !m, !jit.tensor<[3,4],f32>
  }
}

// -----

// A list of tensors.

!m = !jit.tensor<[4],f32>
module attributes {jit.asks_strides} {
  jit.slot @s : !m = dense<0.0> : tensor<4xf32> {jit.assigned, jit.mutable, jit.shares = "s"}
  jit.slot @t : !m = dense<0.0> : tensor<4xf32> {jit.assigned, jit.mutable, jit.shares = "s"}
  func.func @set(%x: !m) -> (!m, !m)
      attributes {jit.outputs = [{slot = "s", value = [0 : i64]}, {slot = "t", value = 1 : i64}]} {
    // expected-error @below {{expected state in memory of its own in a program that writes in place, got 't' in the memory of 's': set it to a clone()}}
    %r = aten.relu %x : (!m) -> !m
    return %r, %r : !m, !m
  }
}

// -----

// One that may be the memory of the other, or its own.

!m = !jit.tensor<[4],f32>
module attributes {jit.asks_strides} {
  jit.slot @s : !m = dense<0.0> : tensor<4xf32> {jit.assigned, jit.mutable, jit.shares = "s"}
  jit.slot @t : !m = dense<0.0> : tensor<4xf32> {jit.assigned, jit.mutable, jit.shares = "s"}
  func.func @set(%x: !m, %c: i1) -> (!m, !m)
      attributes {jit.outputs = [{slot = "s", value = 0 : i64}, {slot = "t", value = 1 : i64}]} {
    // expected-error @below {{expected state in memory of its own in a program that writes in place, got 't' in the memory of 's': set it to a clone()}}
    %r = aten.relu %x : (!m) -> !m
    %q = aten.tanh %x : (!m) -> !m
    %b = scf.if %c -> !m {
      scf.yield %r : !m
    } else {
      scf.yield %q : !m
    }
    return %b, %r : !m, !m
  }
}

// -----

// As many elements as the memory has places, which are not those of all of it.

!m = !jit.tensor<[2,2],f32>
!p = !jit.tensor<[3],f32>
module attributes {jit.asks_strides} {
  jit.slot @s : !m = dense<0.0> : tensor<2x2xf32> {jit.assigned, jit.mutable, jit.shares = "s"}
  jit.slot @t : !p = dense<0.0> : tensor<3xf32> {jit.assigned, jit.mutable, jit.shares = "s"}
  func.func @set(%x: !m) -> (!m, !p)
      attributes {jit.outputs = [{slot = "s", value = 0 : i64}, {slot = "t", value = 1 : i64}]} {
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %two = arith.constant 2 : i64
    %three = arith.constant 3 : i64
    %sizes = jit.list %two, %two : (i64, i64) -> !jit.list<i64>
    %steps = jit.list %three, %zero : (i64, i64) -> !jit.list<i64>
    %part = jit.list %three : (i64) -> !jit.list<i64>
    %step = jit.list %one : (i64) -> !jit.list<i64>
    %r = aten.mm %x, %x : (!m, !m) -> !m
    %s = aten.as_strided %r, %sizes, %steps, %zero : (!m, !jit.list<i64>, !jit.list<i64>, i64) -> !m
    // expected-error @below {{expected state in memory of its own in a program that writes in place, got 't' in the memory of 's': set it to a clone()}}
    %t = aten.as_strided %r, %part, %step, %zero : (!m, !jit.list<i64>, !jit.list<i64>, i64) -> !p
    return %s, %t : !m, !p
  }
}
