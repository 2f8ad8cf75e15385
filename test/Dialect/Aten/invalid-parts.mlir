// Parts, windows and sizes that a tensor has not.
// RUN: jit-opt %s --jit-infer-types --split-input-file --verify-diagnostics

!t = !jit.tensor<[3,4],f32>

func.func @narrow(%x: !t) -> !jit.tensor {
  %dim = arith.constant 0 : i64
  %start = arith.constant -2 : i64
  %length = arith.constant 3 : i64
  // expected-error @below {{expected a part of the dimension, got 3 elements from -2 on}}
  // expected-error @below {{failed to infer returned types}}
  %0 = aten.narrow %x, %dim, %start, %length : (!t, i64, i64, i64) -> !jit.tensor
  return %0 : !jit.tensor
}

// -----

!t = !jit.tensor<[3,4],f32>

func.func @windows(%x: !t) -> !jit.tensor {
  %dim = arith.constant 0 : i64
  %size = arith.constant 1 : i64
  %step = arith.constant 0 : i64
  // expected-error @below {{expected windows of no negative size and a positive step, got size 1 and step 0}}
  // expected-error @below {{failed to infer returned types}}
  %0 = aten.unfold %x, %dim, %size, %step : (!t, i64, i64, i64) -> !jit.tensor
  return %0 : !jit.tensor
}

// -----

!t = !jit.tensor<[3,4],f32>

func.func @repeats(%x: !t) -> !jit.tensor {
  %two = arith.constant 2 : i64
  %repeats = jit.list %two : (i64) -> !jit.list<i64>
  // expected-error @below {{expected a number of repeats for each of 2 dimensions, got 1}}
  // expected-error @below {{failed to infer returned types}}
  %0 = aten.repeat %x, %repeats : (!t, !jit.list<i64>) -> !jit.tensor
  return %0 : !jit.tensor
}

// -----

!t = !jit.tensor<[3,4],f32>

func.func @tile(%x: !t) -> !jit.tensor {
  %two = arith.constant 2 : i64
  %repeats = jit.list %two : (i64) -> !jit.list<i64>
  %0 = aten.tile %x, %repeats : (!t, !jit.list<i64>) -> !jit.tensor
  return %0 : !jit.tensor
}

// -----

!t = !jit.tensor<[3,4],f32>

func.func @view_as(%x: !t, %y: !jit.tensor<[2,4],f32>) -> !jit.tensor {
  // expected-error @below {{expected sizes of 12 elements, got sizes of 8}}
  // expected-error @below {{failed to infer returned types}}
  %0 = aten.view_as %x, %y : (!t, !jit.tensor<[2,4],f32>) -> !jit.tensor
  return %0 : !jit.tensor
}

// -----

!t = !jit.tensor<[3,4],f32>

func.func @expand_as(%x: !t, %y: !jit.tensor<[2,4],f32>) -> !jit.tensor {
  // expected-error @below {{expected size 3 or -1 for dimension 0, got 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = aten.expand_as %x, %y : (!t, !jit.tensor<[2,4],f32>) -> !jit.tensor
  return %0 : !jit.tensor
}

// -----

!t = !jit.tensor<[3,4],f32>

func.func @strides(%x: !t) -> !jit.tensor {
  %two = arith.constant 2 : i64
  %back = arith.constant -1 : i64
  %none = jit.constant !jit.none = unit
  %size = jit.list %two : (i64) -> !jit.list<i64>
  %stride = jit.list %back : (i64) -> !jit.list<i64>
  // expected-error @below {{expected strides that are not negative}}
  // expected-error @below {{failed to infer returned types}}
  %0 = aten.as_strided %x, %size, %stride, %none : (!t, !jit.list<i64>, !jit.list<i64>, !jit.none) -> !jit.tensor
  return %0 : !jit.tensor
}

// -----

!t = !jit.tensor<[3,4],f32>

func.func @as_many_strides(%x: !t) -> !jit.tensor {
  %two = arith.constant 2 : i64
  %none = jit.constant !jit.none = unit
  %size = jit.list %two, %two : (i64, i64) -> !jit.list<i64>
  %stride = jit.list %two : (i64) -> !jit.list<i64>
  // expected-error @below {{expected as many strides as sizes, got 1 and 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = aten.as_strided %x, %size, %stride, %none : (!t, !jit.list<i64>, !jit.list<i64>, !jit.none) -> !jit.tensor
  return %0 : !jit.tensor
}
