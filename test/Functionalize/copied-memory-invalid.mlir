// RUN: jit-opt %s --jit-functionalize-tensors --split-input-file --verify-diagnostics

// What puts elements into a copy of memory keeps windows that overlap, in PyTorch: an element of one is seen in the other.

func.func @overlapping(%x: !jit.tensor<[5],f32>, %v: !jit.tensor<[3],f32>) -> !jit.tensor<[2,3],f32> {
  %zero = arith.constant 0 : i64
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %w = aten.unfold %x, %zero, %three, %two : (!jit.tensor<[5],f32>, i64, i64, i64) -> !jit.tensor<[2,3],f32>
  // expected-error @below {{expected a tensor that shows each element once, got windows or strides that may overlap; clone() it before}}
  %r = aten.select_scatter %w, %v, %zero, %zero : (!jit.tensor<[2,3],f32>, !jit.tensor<[3],f32>, i64, i64) -> !jit.tensor<[2,3],f32>
  return %r : !jit.tensor<[2,3],f32>
}

// -----

// Of open sizes.

func.func @open(%x: !jit.tensor<[?],f32>, %v: !jit.tensor<[3],f32>) -> !jit.tensor<[?,3],f32> {
  %zero = arith.constant 0 : i64
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %w = aten.unfold %x, %zero, %three, %two : (!jit.tensor<[?],f32>, i64, i64, i64) -> !jit.tensor<[?,3],f32>
  // expected-error @below {{expected a tensor that shows each element once, got windows or strides that may overlap; clone() it before}}
  %r = aten.select_scatter %w, %v, %zero, %zero : (!jit.tensor<[?,3],f32>, !jit.tensor<[3],f32>, i64, i64) -> !jit.tensor<[?,3],f32>
  return %r : !jit.tensor<[?,3],f32>
}

// -----

// Windows that do not overlap, and what is expanded, which PyTorch copies element by element.

func.func @apart(%x: !jit.tensor<[6],f32>, %y: !jit.tensor<[1,3],f32>, %v: !jit.tensor<[3],f32>) -> (!jit.tensor<[2,3],f32>, !jit.tensor<[2,3],f32>) {
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %w = aten.unfold %x, %zero, %three, %three : (!jit.tensor<[6],f32>, i64, i64, i64) -> !jit.tensor<[2,3],f32>
  %r = aten.select_scatter %w, %v, %zero, %zero : (!jit.tensor<[2,3],f32>, !jit.tensor<[3],f32>, i64, i64) -> !jit.tensor<[2,3],f32>
  %size = jit.list %two, %three : (i64, i64) -> !jit.list<i64>
  %e = aten.expand %y, %size, %false : (!jit.tensor<[1,3],f32>, !jit.list<i64>, i1) -> !jit.tensor<[2,3],f32>
  %s = aten.select_scatter %e, %v, %zero, %zero : (!jit.tensor<[2,3],f32>, !jit.tensor<[3],f32>, i64, i64) -> !jit.tensor<[2,3],f32>
  return %r, %s : !jit.tensor<[2,3],f32>, !jit.tensor<[2,3],f32>
}
