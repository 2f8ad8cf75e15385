// RUN: jit-opt %s --jit-differentiate=parameters --split-input-file | FileCheck %s
// RUN: jit-opt %s --jit-differentiate --split-input-file | FileCheck %s --check-prefix=ASKED

// A parameter that is an argument has a gradient by its name where those of parameters are asked for; a buffer, other arguments and
// parameters of integers have none.

jit.slot parameter @w : !jit.tensor<[4],f32> = #jit.storage<"data/0", 0, [1]>
jit.slot parameter @n : !jit.tensor<[4],i64> = #jit.storage<"data/1", 0, [1]>
jit.slot @b : !jit.tensor<[4],f32> = #jit.storage<"data/2", 0, [1]>

// CHECK-LABEL: func.func @forward
//  CHECK-SAME: jit.outputs = [{value = 0 : i64}, {grad = array<i64: 0>, value = 1 : i64}, {grad = "w", value = 2 : i64}]
// ASKED-LABEL: func.func @forward
//  ASKED-SAME: jit.outputs = [{value = 0 : i64}, {grad = array<i64: 0>, value = 1 : i64}]
func.func @forward(%x: !jit.tensor<[4],f32> {jit.requires_grad}, %y: !jit.tensor<[4],f32>, %w: !jit.tensor<[4],f32> {jit.slot = "w"}, %b: !jit.tensor<[4],f32> {jit.slot = "b"}, %other: !jit.tensor<[4],f32> {jit.slot = "absent"})
    -> !jit.tensor<[4],f32> {
  %n = jit.slot_get @n : !jit.tensor<[4],i64>
  %0 = aten.mul.Tensor %x, %w : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %1 = aten.mul.Tensor %0, %b : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %2 = aten.mul.Tensor %1, %n : (!jit.tensor<[4],f32>, !jit.tensor<[4],i64>) -> !jit.tensor<[4],f32>
  %3 = aten.mul.Tensor %2, %y : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %4 = aten.mul.Tensor %3, %other : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  return %4 : !jit.tensor<[4],f32>
}
