// RUN: jit-opt %s --jit-functionalize-tensors --split-input-file --verify-diagnostics

// Where the row begins is known at the call alone.

!m = !jit.tensor<[2,2],f32>
func.func @strided(%x: !m, %n: i64, %v: !jit.tensor<[2],f32>) -> !jit.tensor<[2],f32> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %y = aten.relu %x : (!m) -> !m
  %s = aten.select.int %y, %zero, %n : (!m, i64, i64) -> !jit.tensor<[2],f32>
  %none = jit.constant !jit.none = unit
  %size = jit.list %two : (i64) -> !jit.list<i64>
  %steps = jit.list %one : (i64) -> !jit.list<i64>
  // expected-error @below {{expected as_strided of a part of a tensor whose place is known}}
  %a = aten.as_strided %s, %size, %steps, %none : (!jit.tensor<[2],f32>, !jit.list<i64>, !jit.list<i64>, !jit.none) -> !jit.tensor<[2],f32>
  return %a : !jit.tensor<[2],f32>
}

// -----

// Of a row one may show the row beside it: from where on has to be known.

!m = !jit.tensor<[2,2],f32>
func.func @strided_open(%x: !m, %n: i64, %v: !jit.tensor<[2],f32>) -> !jit.tensor<[2],f32> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %y = aten.relu %x : (!m) -> !m
  %s = aten.select.int %y, %zero, %one : (!m, i64, i64) -> !jit.tensor<[2],f32>
  %size = jit.list %two : (i64) -> !jit.list<i64>
  %steps = jit.list %one : (i64) -> !jit.list<i64>
  // expected-error @below {{expected as_strided of constant places, as its operand shows a part of its memory}}
  %a = aten.as_strided %s, %size, %steps, %n : (!jit.tensor<[2],f32>, !jit.list<i64>, !jit.list<i64>, i64) -> !jit.tensor<[2],f32>
  return %a : !jit.tensor<[2],f32>
}

// -----

// The transpose of a matrix of one row is contiguous.

!u = !jit.tensor<[?,?],f32>
func.func @asks(%x: !u) -> i1 {
  %y = aten.relu %x : (!u) -> !u
  %t = aten.t %y : (!u) -> !u
  // expected-error @below {{expected strides that are known where a program asks for them}}
  %s = aten.is_contiguous %t : (!u) -> i1
  return %s : i1
}

// -----

// A place between the elements of a tensor is nobody's.
func.func @between(%x: !jit.tensor<[4],f32> {jit.strides = array<i64: 3>}) -> !jit.tensor<[2],f32> {
  %two = arith.constant 2 : i64
  %one = arith.constant 1 : i64
  %sizes = jit.list %two : (i64) -> !jit.list<i64>
  %steps = jit.list %two : (i64) -> !jit.list<i64>
  // expected-error @below {{expected as_strided of memory that one tensor fills}}
  %a = aten.as_strided %x, %sizes, %steps, %one : (!jit.tensor<[4],f32>, !jit.list<i64>, !jit.list<i64>, i64) -> !jit.tensor<[2],f32>
  return %a : !jit.tensor<[2],f32>
}
