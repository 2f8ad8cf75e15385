// RUN: jit-opt %s --jit-functionalize-tensors | FileCheck %s

// A tensor with gaps in its memory has an element at each place that is asked for: these are counted instead.
// CHECK-LABEL: func.func @gaps(
// CHECK-SAME: %[[X:[a-z0-9]+]]: !jit.tensor<[4],f32>
// CHECK: arith.constant 6 : i64
// CHECK: %[[TWO:.*]] = arith.constant 2 : i64
// CHECK: %[[STEPS:.*]] = jit.list %[[TWO]]
// CHECK: %[[ONE:.*]] = arith.constant 1 : i64
// CHECK: aten.as_strided %[[X]], %{{.*}}, %[[STEPS]], %[[ONE]] {jit.of_memory, jit.places = array<i64: 6, 3>}
func.func @gaps(%x: !jit.tensor<[4],f32> {jit.strides = array<i64: 3>}) -> !jit.tensor<[2],f32> {
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %six = arith.constant 6 : i64
  %sizes = jit.list %two : (i64) -> !jit.list<i64>
  %steps = jit.list %six : (i64) -> !jit.list<i64>
  %a = aten.as_strided %x, %sizes, %steps, %three : (!jit.tensor<[4],f32>, !jit.list<i64>, !jit.list<i64>, i64) -> !jit.tensor<[2],f32>
  return %a : !jit.tensor<[2],f32>
}
