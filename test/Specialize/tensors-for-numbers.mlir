// RUN: jit-opt %s --jit-specialize="args=bool[],f32[1,1],i64[]" | FileCheck %s
// RUN: not jit-opt %s --jit-specialize="args=bool[],f32[2],i64[]" 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: not jit-opt %s --jit-specialize="args=bool[],f32[?],i64[]" 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: jit-opt %s --jit-specialize="args=bool[],f32[1]:strides[1]:part[0,1,2],i64[]" | FileCheck %s --check-prefix=PART

// A tensor of one element is the number that it holds, where one is asked for; one of several elements, or of who knows how many, is not.

// CHECK: %[[B:[a-z0-9]+]]: !jit.tensor<[],i1> {jit.arg = array<i64: 0>}, %[[F:[a-z0-9]+]]: !jit.tensor<[1,1],f32> {jit.arg = array<i64: 1>}, %[[N:[a-z0-9]+]]: !jit.tensor<[],i64>
// CHECK: aten.Bool.Tensor %[[B]]
// CHECK: aten.Float.Tensor %[[F]]
// CHECK: aten.Int.Tensor %[[N]]
// MANY: expected argument 1 of type float, got a tensor
// OPEN: expected argument 1 of type float, got a tensor

// Whose memory it is a part of does not matter then.
// PART: %[[F:[a-z0-9]+]]: !jit.tensor<[1],f32>
// PART: aten.Float.Tensor %[[F]]
func.func @forward(%b: i1, %f: f64, %n: i64) -> (i1, f64, i64) {
  return %b, %f, %n : i1, f64, i64
}
