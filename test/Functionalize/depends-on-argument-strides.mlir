// RUN: jit-opt %s --jit-functionalize-tensors --split-input-file | FileCheck %s

// Where strides of an argument choose between a copy and a view, and one of them is written, the function is that of these strides alone.

!m = !jit.tensor<[2,2],f32>
!f = !jit.tensor<[4],f32>

// What may be the argument is written.
// CHECK-LABEL: func.func @copy_written(
// CHECK-SAME: attributes {jit.depends_on_strides}
func.func @copy_written(%x: !m, %v: !f) -> !f {
  %all = arith.constant -1 : i64
  %size = jit.list %all : (i64) -> !jit.list<i64>
  %t = aten.t %x : (!m) -> !m
  %r = aten.reshape %t, %size : (!m, !jit.list<i64>) -> !f
  %w = jit.overwrite %r, %v : (!f, !f) -> !f
  return %r : !f
}

// The argument is written.
// CHECK-LABEL: func.func @argument_written(
// CHECK-SAME: attributes {jit.depends_on_strides}
func.func @argument_written(%x: !m, %v: !m) -> !f {
  %all = arith.constant -1 : i64
  %size = jit.list %all : (i64) -> !jit.list<i64>
  %t = aten.t %x : (!m) -> !m
  %r = aten.reshape %t, %size : (!m, !jit.list<i64>) -> !f
  %w = jit.overwrite %x, %v : (!m, !m) -> !m
  return %r : !f
}

// Something else is.
// CHECK-LABEL: func.func @other_written(
// CHECK-NOT: jit.depends_on_strides
// CHECK: aten.relu
func.func @other_written(%x: !m, %v: !m, %n: i64) -> (!f, !m, i64) {
  %all = arith.constant -1 : i64
  %size = jit.list %all : (i64) -> !jit.list<i64>
  %y = aten.relu %x : (!m) -> !m
  %t = aten.t %x : (!m) -> !m
  %r = aten.reshape %t, %size : (!m, !jit.list<i64>) -> !f
  %w = jit.overwrite %y, %v : (!m, !m) -> !m
  return %r, %y, %n : !f, !m, i64
}

// Places in the memory of an argument are counted.
// CHECK-LABEL: func.func @places(
// CHECK-SAME: attributes {jit.depends_on_strides}
func.func @places(%x: !m, %v: !m) -> (!f, !m) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %four = arith.constant 4 : i64
  %sizes = jit.list %four : (i64) -> !jit.list<i64>
  %steps = jit.list %one : (i64) -> !jit.list<i64>
  %y = aten.relu %x : (!m) -> !m
  %a = aten.as_strided %x, %sizes, %steps, %zero : (!m, !jit.list<i64>, !jit.list<i64>, i64) -> !f
  %w = jit.overwrite %y, %v : (!m, !m) -> !m
  return %a, %y : !f, !m
}

// Those in what a call makes are the same in all calls.
// CHECK-LABEL: func.func @own_places(
// CHECK-NOT: jit.depends_on_strides
// CHECK: aten.relu
func.func @own_places(%x: !m, %v: !m) -> (!f, !m) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %four = arith.constant 4 : i64
  %sizes = jit.list %four : (i64) -> !jit.list<i64>
  %steps = jit.list %one : (i64) -> !jit.list<i64>
  %y = aten.relu %x : (!m) -> !m
  %a = aten.as_strided %y, %sizes, %steps, %zero : (!m, !jit.list<i64>, !jit.list<i64>, i64) -> !f
  %w = jit.overwrite %y, %v : (!m, !m) -> !m
  return %a, %y : !f, !m
}

// Strides of state that are not those of what is left there: where the argument lies otherwise, that does too.
// CHECK-LABEL: func.func @state(
// CHECK-SAME: jit.depends_on_strides
func.func @state(%x: !m, %v: !m) -> (!m, !m) attributes {jit.outputs = [{slot = "s", value = 0 : i64}, {value = 1 : i64}]} {
  %y = aten.relu %x : (!m) -> !m
  %w = jit.overwrite %y, %v : (!m, !m) -> !m
  return %x, %y : !m, !m
}

// Of a result that is no state nobody asks.
// CHECK-LABEL: func.func @result(
// CHECK-NOT: jit.depends_on_strides
// CHECK: aten.mm
func.func @result(%x: !m, %v: !m) -> (!m, !m) attributes {jit.outputs = [{value = 0 : i64}, {slot = "s", value = 1 : i64}]} {
  %y = aten.mm %x, %v : (!m, !m) -> !m
  %w = jit.overwrite %y, %v : (!m, !m) -> !m
  return %x, %y : !m, !m
}

// State comes in as it was left.
// CHECK-LABEL: func.func @places_of_state(
// CHECK-NOT: jit.depends_on_strides
// CHECK: aten.relu
func.func @places_of_state(%s: !m {jit.slot = "s"}, %v: !m) -> (!f, !m) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %four = arith.constant 4 : i64
  %sizes = jit.list %four : (i64) -> !jit.list<i64>
  %steps = jit.list %one : (i64) -> !jit.list<i64>
  %y = aten.relu %v : (!m) -> !m
  %a = aten.as_strided %s, %sizes, %steps, %zero {jit.from_start} : (!m, !jit.list<i64>, !jit.list<i64>, i64) -> !f
  %w = jit.overwrite %y, %v : (!m, !m) -> !m
  return %a, %y : !f, !m
}

// -----

// A function of which no outputs are noted has no state to say strides of.
module attributes {jit.asks_strides} {
  // CHECK-LABEL: func.func @no_outputs(
  // CHECK-NOT: jit.outputs
  // CHECK: aten.t
  func.func @no_outputs(%x: !jit.tensor<[2,2],f32>) -> !jit.tensor<[2,2],f32> {
    %t = aten.t %x : (!jit.tensor<[2,2],f32>) -> !jit.tensor<[2,2],f32>
    return %t : !jit.tensor<[2,2],f32>
  }
}
