// RUN: jit-opt %s --split-input-file --jit-specialize="args=f32[2,3],?int" --verify-diagnostics

// What is resized in place, and to which sizes, has to be known.

// At a place that the call tells.

!l = !jit.list<!jit.tensor>
func.func @forward(%x: !jit.tensor, %n: i64) -> !jit.tensor {
  %eight = arith.constant 8 : i64
  %none = jit.constant !jit.none = unit
  %y = aten.exp %x : (!jit.tensor) -> !jit.tensor
  %z = aten.neg %x : (!jit.tensor) -> !jit.tensor
  %list = jit.list %y, %z : (!jit.tensor, !jit.tensor) -> !l
  %e = aten.__getitem__.t %list, %n : (!l, i64) -> !jit.tensor
  %row = jit.list %eight : (i64) -> !jit.list<i64>
  %more = aten._resized %e, %row, %none : (!jit.tensor, !jit.list<i64>, !jit.none) -> !jit.tensor
  // expected-error @below {{expected a tensor that is known where its sizes change in place}}
  %1 = jit.become %e, %more : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %e : !jit.tensor
}

// -----

// To as many elements as the call tells.

func.func @forward(%x: !jit.tensor, %n: i64) -> !jit.tensor {
  %none = jit.constant !jit.none = unit
  %y = aten.exp %x : (!jit.tensor) -> !jit.tensor
  %row = jit.list %n : (i64) -> !jit.list<i64>
  %more = aten._resized %y, %row, %none : (!jit.tensor, !jit.list<i64>, !jit.none) -> !jit.tensor
  // expected-error @below {{expected to know the sizes and the memory of a tensor that is resized}}
  %1 = jit.become %y, %more : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %y : !jit.tensor
}

// -----

// What has as many elements as the call tells.

func.func @forward(%x: !jit.tensor, %n: i64) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %three = arith.constant 3 : i64
  %none = jit.constant !jit.none = unit
  %z = aten.exp %x : (!jit.tensor) -> !jit.tensor
  %y = aten.slice.Tensor %z, %one, %zero, %n, %one : (!jit.tensor, i64, i64, i64, i64) -> !jit.tensor
  %row = jit.list %three : (i64) -> !jit.list<i64>
  %more = aten._resized %y, %row, %none : (!jit.tensor, !jit.list<i64>, !jit.none) -> !jit.tensor
  // expected-error @below {{expected to know the sizes and the memory of a tensor that is resized}}
  %1 = jit.become %y, %more : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %y : !jit.tensor
}

// -----

// Which part of memory a row is, the call tells.

func.func @forward(%x: !jit.tensor, %n: i64) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %two = arith.constant 2 : i64
  %none = jit.constant !jit.none = unit
  %z = aten.exp %x : (!jit.tensor) -> !jit.tensor
  %y = aten.select.int %z, %zero, %n : (!jit.tensor, i64, i64) -> !jit.tensor
  %row = jit.list %two : (i64) -> !jit.list<i64>
  %more = aten._resized %y, %row, %none : (!jit.tensor, !jit.list<i64>, !jit.none) -> !jit.tensor
  // expected-error @below {{expected to know the sizes and the memory of a tensor that is resized}}
  %1 = jit.become %y, %more : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %y : !jit.tensor
}
