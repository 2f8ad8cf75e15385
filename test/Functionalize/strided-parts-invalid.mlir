// RUN: jit-opt %s --jit-functionalize-tensors --split-input-file --verify-diagnostics

// as_strided of what shows a part of its memory, of which it is not known which elements lie in it.

!r = !jit.tensor<[2],f32>
func.func @open_part(%x: !jit.tensor<[?,?],f32>) -> !r {
  %zero = arith.constant 0 : i64
  %two = arith.constant 2 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!jit.tensor<[?,?],f32>) -> !jit.tensor<[?,?],f32>
  %s = aten.select.int %y, %zero, %zero : (!jit.tensor<[?,?],f32>, i64, i64) -> !jit.tensor<[?],f32>
  %sizes = jit.list %two : (i64) -> !jit.list<i64>
  %steps = jit.list %one : (i64) -> !jit.list<i64>
  // expected-error @below {{expected as_strided of constant places, as its operand shows a part of its memory}}
  %a = aten.as_strided %s, %sizes, %steps, %one : (!jit.tensor<[?],f32>, !jit.list<i64>, !jit.list<i64>, i64) -> !r
  return %a : !r
}

// -----

!m = !jit.tensor<[2,2],f32>
!r = !jit.tensor<[2],f32>
func.func @open_step(%x: !m, %n: i64) -> !r {
  %zero = arith.constant 0 : i64
  %two = arith.constant 2 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!m) -> !m
  %s = aten.select.int %y, %zero, %one : (!m, i64, i64) -> !r
  %sizes = jit.list %two : (i64) -> !jit.list<i64>
  %steps = jit.list %n : (i64) -> !jit.list<i64>
  // expected-error @below {{expected as_strided of constant places, as its operand shows a part of its memory}}
  %a = aten.as_strided %s, %sizes, %steps, %one : (!r, !jit.list<i64>, !jit.list<i64>, i64) -> !r
  return %a : !r
}

// -----

!m = !jit.tensor<[2,2],f32>
!r = !jit.tensor<[2],f32>
func.func @open_size(%x: !m, %n: i64) -> !jit.tensor<[?],f32> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!m) -> !m
  %s = aten.select.int %y, %zero, %one : (!m, i64, i64) -> !r
  %sizes = jit.list %n : (i64) -> !jit.list<i64>
  %steps = jit.list %one : (i64) -> !jit.list<i64>
  // expected-error @below {{expected as_strided of constant places, as its operand shows a part of its memory}}
  %a = aten.as_strided %s, %sizes, %steps, %one : (!r, !jit.list<i64>, !jit.list<i64>, i64) -> !jit.tensor<[?],f32>
  return %a : !jit.tensor<[?],f32>
}

// -----

!m = !jit.tensor<[2,2],f32>
!r = !jit.tensor<[2],f32>
func.func @open_row(%x: !m, %n: i64) -> !r {
  %zero = arith.constant 0 : i64
  %two = arith.constant 2 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!m) -> !m
  %s = aten.select.int %y, %zero, %n : (!m, i64, i64) -> !r
  %sizes = jit.list %two : (i64) -> !jit.list<i64>
  %steps = jit.list %one : (i64) -> !jit.list<i64>
  // expected-error @below {{expected as_strided of constant places, as its operand shows a part of its memory}}
  %a = aten.as_strided %s, %sizes, %steps, %one : (!r, !jit.list<i64>, !jit.list<i64>, i64) -> !r
  return %a : !r
}

// -----

// Of no rank, nobody knows what the memory is.
!u = !jit.tensor<*,f32>
!r = !jit.tensor<[2],f32>
func.func @no_rank(%x: !u) -> !r {
  %zero = arith.constant 0 : i64
  %two = arith.constant 2 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!u) -> !u
  %sizes = jit.list %two : (i64) -> !jit.list<i64>
  %steps = jit.list %one : (i64) -> !jit.list<i64>
  // expected-error @below {{expected as_strided of memory that one tensor fills}}
  %a = aten.as_strided %y, %sizes, %steps, %zero : (!u, !jit.list<i64>, !jit.list<i64>, i64) -> !r
  return %a : !r
}

// -----

// A leaf of a part has gradients of its own, which no name of all of the memory has.
!m = !jit.tensor<[2,2],f32>
!r = !jit.tensor<[2],f32>
func.func @leaf_of_part(%x: !m) -> !r {
  %zero = arith.constant 0 : i64
  %two = arith.constant 2 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!m) -> !m
  %s = aten.select.int %y, %zero, %one : (!m, i64, i64) -> !r
  %leaf = aten._leaf %s : (!r) -> !r
  %sizes = jit.list %two : (i64) -> !jit.list<i64>
  %steps = jit.list %one : (i64) -> !jit.list<i64>
  // expected-error @below {{expected as_strided of memory that one tensor fills}}
  %a = aten.as_strided %leaf, %sizes, %steps, %one : (!r, !jit.list<i64>, !jit.list<i64>, i64) -> !r
  return %a : !r
}

// -----

// The transpose has the sizes of the memory, and another order.
!m = !jit.tensor<[2,2],f32>
!r = !jit.tensor<[2],f32>
func.func @leaf_of_transpose(%x: !m) -> !r {
  %two = arith.constant 2 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!m) -> !m
  %none = jit.constant !jit.none = unit
  %z = aten.clone %y, %none : (!m, !jit.none) -> !m
  %t = aten.t %z : (!m) -> !m
  %leaf = aten._leaf %t : (!m) -> !m
  %sizes = jit.list %two : (i64) -> !jit.list<i64>
  %steps = jit.list %one : (i64) -> !jit.list<i64>
  // expected-error @below {{expected as_strided of memory that one tensor fills}}
  %a = aten.as_strided %leaf, %sizes, %steps, %one : (!m, !jit.list<i64>, !jit.list<i64>, i64) -> !r
  return %a : !r
}
