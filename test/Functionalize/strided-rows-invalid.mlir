// RUN: jit-opt %s --jit-functionalize-tensors --split-input-file --verify-diagnostics

// as_strided of a row, which shows a part of its memory: which elements lie in the row, which gradients reach, has to be known.

// As many elements as a list says that the call gives.

func.func @part(%x: !jit.tensor<[2,2],f32>, %z: !jit.tensor<[2,2],f32>, %sizes: !jit.list<i64>) -> !jit.tensor<*,f32> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %steps = jit.list %one : (i64) -> !jit.list<i64>
  %y = aten.mm %x, %z : (!jit.tensor<[2,2],f32>, !jit.tensor<[2,2],f32>) -> !jit.tensor<[2,2],f32>
  %s = aten.select.int %y, %zero, %one : (!jit.tensor<[2,2],f32>, i64, i64) -> !jit.tensor<[2],f32>
  // expected-error @below {{expected as_strided of constant places, as its operand shows a part of its memory}}
  %a = aten.as_strided %s, %sizes, %steps, %one : (!jit.tensor<[2],f32>, !jit.list<i64>, !jit.list<i64>, i64) -> !jit.tensor<*,f32>
  return %a : !jit.tensor<*,f32>
}

// -----

// So far apart as a list says that the call gives.

func.func @part(%x: !jit.tensor<[2,2],f32>, %z: !jit.tensor<[2,2],f32>, %steps: !jit.list<i64>) -> !jit.tensor<[2],f32> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %sizes = jit.list %two : (i64) -> !jit.list<i64>
  %y = aten.mm %x, %z : (!jit.tensor<[2,2],f32>, !jit.tensor<[2,2],f32>) -> !jit.tensor<[2,2],f32>
  %s = aten.select.int %y, %zero, %one : (!jit.tensor<[2,2],f32>, i64, i64) -> !jit.tensor<[2],f32>
  // expected-error @below {{expected as_strided of constant places, as its operand shows a part of its memory}}
  %a = aten.as_strided %s, %sizes, %steps, %one : (!jit.tensor<[2],f32>, !jit.list<i64>, !jit.list<i64>, i64) -> !jit.tensor<[2],f32>
  return %a : !jit.tensor<[2],f32>
}

// -----

// As many as a number says.

func.func @part(%x: !jit.tensor<[2,2],f32>, %z: !jit.tensor<[2,2],f32>, %n: i64) -> !jit.tensor<[?],f32> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %sizes = jit.list %n : (i64) -> !jit.list<i64>
  %steps = jit.list %one : (i64) -> !jit.list<i64>
  %y = aten.mm %x, %z : (!jit.tensor<[2,2],f32>, !jit.tensor<[2,2],f32>) -> !jit.tensor<[2,2],f32>
  %s = aten.select.int %y, %zero, %one : (!jit.tensor<[2,2],f32>, i64, i64) -> !jit.tensor<[2],f32>
  // expected-error @below {{expected as_strided of constant places, as its operand shows a part of its memory}}
  %a = aten.as_strided %s, %sizes, %steps, %one : (!jit.tensor<[2],f32>, !jit.list<i64>, !jit.list<i64>, i64) -> !jit.tensor<[?],f32>
  return %a : !jit.tensor<[?],f32>
}

// -----

// So far apart as a number says.

func.func @part(%x: !jit.tensor<[2,2],f32>, %z: !jit.tensor<[2,2],f32>, %n: i64) -> !jit.tensor<[2],f32> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %sizes = jit.list %two : (i64) -> !jit.list<i64>
  %steps = jit.list %n : (i64) -> !jit.list<i64>
  %y = aten.mm %x, %z : (!jit.tensor<[2,2],f32>, !jit.tensor<[2,2],f32>) -> !jit.tensor<[2,2],f32>
  %s = aten.select.int %y, %zero, %one : (!jit.tensor<[2,2],f32>, i64, i64) -> !jit.tensor<[2],f32>
  // expected-error @below {{expected as_strided of constant places, as its operand shows a part of its memory}}
  %a = aten.as_strided %s, %sizes, %steps, %one : (!jit.tensor<[2],f32>, !jit.list<i64>, !jit.list<i64>, i64) -> !jit.tensor<[2],f32>
  return %a : !jit.tensor<[2],f32>
}

// -----

// Of a tensor of open sizes.

func.func @part(%x: !jit.tensor<[?,2],f32>, %z: !jit.tensor<[2,2],f32>) -> !jit.tensor<[2],f32> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %sizes = jit.list %two : (i64) -> !jit.list<i64>
  %steps = jit.list %one : (i64) -> !jit.list<i64>
  %y = aten.mm %x, %z : (!jit.tensor<[?,2],f32>, !jit.tensor<[2,2],f32>) -> !jit.tensor<[?,2],f32>
  %s = aten.select.int %y, %zero, %one : (!jit.tensor<[?,2],f32>, i64, i64) -> !jit.tensor<[2],f32>
  // expected-error @below {{expected as_strided of constant places, as its operand shows a part of its memory}}
  %a = aten.as_strided %s, %sizes, %steps, %one : (!jit.tensor<[2],f32>, !jit.list<i64>, !jit.list<i64>, i64) -> !jit.tensor<[2],f32>
  return %a : !jit.tensor<[2],f32>
}

// -----

// Of a row so long that its elements are not counted.

func.func @part(%x: !jit.tensor<[2,2],f32>, %z: !jit.tensor<[2,5000000],f32>) -> !jit.tensor<[2],f32> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %sizes = jit.list %two : (i64) -> !jit.list<i64>
  %steps = jit.list %one : (i64) -> !jit.list<i64>
  %y = aten.mm %x, %z : (!jit.tensor<[2,2],f32>, !jit.tensor<[2,5000000],f32>) -> !jit.tensor<[2,5000000],f32>
  %s = aten.select.int %y, %zero, %one : (!jit.tensor<[2,5000000],f32>, i64, i64) -> !jit.tensor<[5000000],f32>
  // expected-error @below {{expected as_strided of constant places, as its operand shows a part of its memory}}
  %a = aten.as_strided %s, %sizes, %steps, %one : (!jit.tensor<[5000000],f32>, !jit.list<i64>, !jit.list<i64>, i64) -> !jit.tensor<[2],f32>
  return %a : !jit.tensor<[2],f32>
}

// -----

// More elements than are counted.

func.func @part(%x: !jit.tensor<[2,2],f32>, %z: !jit.tensor<[2,2],f32>) -> !jit.tensor<[5000000],f32> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %many = arith.constant 5000000 : i64
  %sizes = jit.list %many : (i64) -> !jit.list<i64>
  %steps = jit.list %zero : (i64) -> !jit.list<i64>
  %y = aten.mm %x, %z : (!jit.tensor<[2,2],f32>, !jit.tensor<[2,2],f32>) -> !jit.tensor<[2,2],f32>
  %s = aten.select.int %y, %zero, %one : (!jit.tensor<[2,2],f32>, i64, i64) -> !jit.tensor<[2],f32>
  // expected-error @below {{expected as_strided of constant places, as its operand shows a part of its memory}}
  %a = aten.as_strided %s, %sizes, %steps, %one : (!jit.tensor<[2],f32>, !jit.list<i64>, !jit.list<i64>, i64) -> !jit.tensor<[5000000],f32>
  return %a : !jit.tensor<[5000000],f32>
}
