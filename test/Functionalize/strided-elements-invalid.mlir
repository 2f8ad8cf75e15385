// RUN: jit-opt %s --jit-functionalize-tensors --split-input-file --verify-diagnostics

// A tensor with gaps in its memory that has no element at a place that is asked for, or where that is not known.

// Places 0, 2 and 4 are those of the elements 0, 2 and 3, which are not evenly apart.
func.func @uneven(%x: !jit.tensor<[3,3],f32> {jit.strides = array<i64: 4, 1>}) -> !jit.tensor<[3],f32> {
  %c3 = arith.constant 3 : i64
  %c2 = arith.constant 2 : i64
  %c0 = arith.constant 0 : i64
  %sizes = jit.list %c3 : (i64) -> !jit.list<i64>
  %steps = jit.list %c2 : (i64) -> !jit.list<i64>
  // expected-error @below {{expected as_strided of memory that one tensor fills}}
  %a = aten.as_strided %x, %sizes, %steps, %c0 : (!jit.tensor<[3,3],f32>, !jit.list<i64>, !jit.list<i64>, i64) -> !jit.tensor<[3],f32>
  return %a : !jit.tensor<[3],f32>
}

// -----

// Places 1 and 3 are those of the elements 2 and 1, and no step goes back.
func.func @back(%x: !jit.tensor<[2,2],f32> {jit.strides = array<i64: 1, 3>}) -> !jit.tensor<[2],f32> {
  %c2 = arith.constant 2 : i64
  %c1 = arith.constant 1 : i64
  %sizes = jit.list %c2 : (i64) -> !jit.list<i64>
  %steps = jit.list %c2 : (i64) -> !jit.list<i64>
  // expected-error @below {{expected as_strided of memory that one tensor fills}}
  %a = aten.as_strided %x, %sizes, %steps, %c1 : (!jit.tensor<[2,2],f32>, !jit.list<i64>, !jit.list<i64>, i64) -> !jit.tensor<[2],f32>
  return %a : !jit.tensor<[2],f32>
}

// -----

// How many there are, or how far apart, only the call knows.
func.func @open_size(%x: !jit.tensor<[2,3],f32> {jit.strides = array<i64: 1, 4>}, %n: i64) -> !jit.tensor<[?],f32> {
  %c4 = arith.constant 4 : i64
  %c0 = arith.constant 0 : i64
  %sizes = jit.list %n : (i64) -> !jit.list<i64>
  %steps = jit.list %c4 : (i64) -> !jit.list<i64>
  // expected-error @below {{expected as_strided of memory that one tensor fills}}
  %a = aten.as_strided %x, %sizes, %steps, %c0 : (!jit.tensor<[2,3],f32>, !jit.list<i64>, !jit.list<i64>, i64) -> !jit.tensor<[?],f32>
  return %a : !jit.tensor<[?],f32>
}

// -----

func.func @open_step(%x: !jit.tensor<[2,3],f32> {jit.strides = array<i64: 1, 4>}, %n: i64) -> !jit.tensor<[3],f32> {
  %c3 = arith.constant 3 : i64
  %c0 = arith.constant 0 : i64
  %sizes = jit.list %c3 : (i64) -> !jit.list<i64>
  %steps = jit.list %n : (i64) -> !jit.list<i64>
  // expected-error @below {{expected as_strided of memory that one tensor fills}}
  %a = aten.as_strided %x, %sizes, %steps, %c0 : (!jit.tensor<[2,3],f32>, !jit.list<i64>, !jit.list<i64>, i64) -> !jit.tensor<[3],f32>
  return %a : !jit.tensor<[3],f32>
}

// -----

func.func @open_place(%x: !jit.tensor<[2,3],f32> {jit.strides = array<i64: 1, 4>}, %n: i64) -> !jit.tensor<[3],f32> {
  %c3 = arith.constant 3 : i64
  %c4 = arith.constant 4 : i64
  %sizes = jit.list %c3 : (i64) -> !jit.list<i64>
  %steps = jit.list %c4 : (i64) -> !jit.list<i64>
  // expected-error @below {{expected as_strided of memory that one tensor fills}}
  %a = aten.as_strided %x, %sizes, %steps, %n : (!jit.tensor<[2,3],f32>, !jit.list<i64>, !jit.list<i64>, i64) -> !jit.tensor<[3],f32>
  return %a : !jit.tensor<[3],f32>
}

// -----

// No element is none of its.
func.func @nothing(%x: !jit.tensor<[2,3],f32> {jit.strides = array<i64: 1, 4>}) -> !jit.tensor<[0],f32> {
  %c0 = arith.constant 0 : i64
  %c4 = arith.constant 4 : i64
  %sizes = jit.list %c0 : (i64) -> !jit.list<i64>
  %steps = jit.list %c4 : (i64) -> !jit.list<i64>
  // expected-error @below {{expected as_strided of memory that one tensor fills}}
  %a = aten.as_strided %x, %sizes, %steps, %c0 : (!jit.tensor<[2,3],f32>, !jit.list<i64>, !jit.list<i64>, i64) -> !jit.tensor<[0],f32>
  return %a : !jit.tensor<[0],f32>
}

// -----

// A tensor whose sizes, or strides, are open.
func.func @open_root(%x: !jit.tensor<[?,3],f32> {jit.strides = array<i64: 1, 4>}) -> !jit.tensor<[3],f32> {
  %c3 = arith.constant 3 : i64
  %c4 = arith.constant 4 : i64
  %c0 = arith.constant 0 : i64
  %sizes = jit.list %c3 : (i64) -> !jit.list<i64>
  %steps = jit.list %c4 : (i64) -> !jit.list<i64>
  // expected-error @below {{expected as_strided of memory that one tensor fills}}
  %a = aten.as_strided %x, %sizes, %steps, %c0 : (!jit.tensor<[?,3],f32>, !jit.list<i64>, !jit.list<i64>, i64) -> !jit.tensor<[3],f32>
  return %a : !jit.tensor<[3],f32>
}

// -----

func.func @open_strides(%x: !jit.tensor<[2,3],f32> {jit.strides = array<i64: -9223372036854775808, 4>}) -> !jit.tensor<[3],f32> {
  %c3 = arith.constant 3 : i64
  %c4 = arith.constant 4 : i64
  %c0 = arith.constant 0 : i64
  %sizes = jit.list %c3 : (i64) -> !jit.list<i64>
  %steps = jit.list %c4 : (i64) -> !jit.list<i64>
  // expected-error @below {{expected as_strided of memory that one tensor fills}}
  %a = aten.as_strided %x, %sizes, %steps, %c0 : (!jit.tensor<[2,3],f32>, !jit.list<i64>, !jit.list<i64>, i64) -> !jit.tensor<[3],f32>
  return %a : !jit.tensor<[3],f32>
}

// -----

// Complex numbers are pairs from here on, whose places count otherwise.
func.func @complex(%x: !jit.tensor<[2,3],complex<f32>> {jit.strides = array<i64: 1, 4>}) -> !jit.tensor<[3],complex<f32>> {
  %c3 = arith.constant 3 : i64
  %c4 = arith.constant 4 : i64
  %c0 = arith.constant 0 : i64
  %sizes = jit.list %c3 : (i64) -> !jit.list<i64>
  %steps = jit.list %c4 : (i64) -> !jit.list<i64>
  // expected-error @below {{expected as_strided of memory that one tensor fills}}
  %a = aten.as_strided %x, %sizes, %steps, %c0 : (!jit.tensor<[2,3],complex<f32>>, !jit.list<i64>, !jit.list<i64>, i64) -> !jit.tensor<[3],complex<f32>>
  return %a : !jit.tensor<[3],complex<f32>>
}
