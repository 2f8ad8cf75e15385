// RUN: jit-opt %s --jit-functionalize-tensors --split-input-file --verify-diagnostics

// A row that is shown twice is written twice.
func.func @rows(%x: !jit.tensor<[1,2],f32>, %v: !jit.tensor<[2,2],f32>) -> !jit.tensor<[1,2],f32> {
  %two = arith.constant 2 : i64
  %false = arith.constant false
  %sizes = jit.list %two, %two : (i64, i64) -> !jit.list<i64>
  %y = aten.relu %x : (!jit.tensor<[1,2],f32>) -> !jit.tensor<[1,2],f32>
  %e = aten.expand %y, %sizes, %false : (!jit.tensor<[1,2],f32>, !jit.list<i64>, i1) -> !jit.tensor<[2,2],f32>
  // expected-error @below {{got a view that shows elements more than once; clone() it before}}
  %w = jit.overwrite %e, %v : (!jit.tensor<[2,2],f32>, !jit.tensor<[2,2],f32>) -> !jit.tensor<[2,2],f32>
  return %y : !jit.tensor<[1,2],f32>
}

// -----

// One row is shown once.
func.func @row(%x: !jit.tensor<[2],f32>, %v: !jit.tensor<[1,2],f32>) -> !jit.tensor<[2],f32> {
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %false = arith.constant false
  %sizes = jit.list %one, %two : (i64, i64) -> !jit.list<i64>
  %y = aten.relu %x : (!jit.tensor<[2],f32>) -> !jit.tensor<[2],f32>
  %e = aten.expand %y, %sizes, %false : (!jit.tensor<[2],f32>, !jit.list<i64>, i1) -> !jit.tensor<[1,2],f32>
  %w = jit.overwrite %e, %v : (!jit.tensor<[1,2],f32>, !jit.tensor<[1,2],f32>) -> !jit.tensor<[1,2],f32>
  return %y : !jit.tensor<[2],f32>
}

// -----

// Windows of two, one apart, have the element between them in common.
func.func @windows(%x: !jit.tensor<[3],f32>, %v: !jit.tensor<[2,2],f32>) -> !jit.tensor<[3],f32> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %y = aten.relu %x : (!jit.tensor<[3],f32>) -> !jit.tensor<[3],f32>
  %s = aten.unfold %y, %zero, %two, %one : (!jit.tensor<[3],f32>, i64, i64, i64) -> !jit.tensor<[2,2],f32>
  // expected-error @below {{got windows or strides that may overlap}}
  %w = jit.overwrite %s, %v : (!jit.tensor<[2,2],f32>, !jit.tensor<[2,2],f32>) -> !jit.tensor<[2,2],f32>
  return %y : !jit.tensor<[3],f32>
}

// -----

// The rank of what is written is not known, that of the tensor is.
func.func @rank(%x: !jit.tensor<[3,3],f32>, %v: !jit.tensor<*,f32>, %l: !jit.list<i64>) -> !jit.tensor<[3,3],f32> {
  %false = arith.constant false
  %y = aten.relu %x : (!jit.tensor<[3,3],f32>) -> !jit.tensor<[3,3],f32>
  %s = aten.expand %y, %l, %false : (!jit.tensor<[3,3],f32>, !jit.list<i64>, i1) -> !jit.tensor<*,f32>
  // expected-error @below {{expected a known rank for a write to elements that are no whole part of a tensor}}
  %w = jit.overwrite %s, %v : (!jit.tensor<*,f32>, !jit.tensor<*,f32>) -> !jit.tensor<*,f32>
  return %y : !jit.tensor<[3,3],f32>
}

// -----

// Strides that come back to the same two places, for as many elements as there are.
func.func @strides(%x: !jit.tensor<[4],f32>, %v: !jit.tensor<[2,2],f32>) -> !jit.tensor<[4],f32> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %sizes = jit.list %two, %two : (i64, i64) -> !jit.list<i64>
  %steps = jit.list %zero, %one : (i64, i64) -> !jit.list<i64>
  %y = aten.relu %x : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %a = aten.as_strided %y, %sizes, %steps, %zero : (!jit.tensor<[4],f32>, !jit.list<i64>, !jit.list<i64>, i64) -> !jit.tensor<[2,2],f32>
  // expected-error @below {{got a view that shows elements more than once; clone() it before}}
  %w = jit.overwrite %a, %v : (!jit.tensor<[2,2],f32>, !jit.tensor<[2,2],f32>) -> !jit.tensor<[2,2],f32>
  return %y : !jit.tensor<[4],f32>
}
