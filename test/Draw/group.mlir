// RUN: jit-translate --emit=svg %s | FileCheck %s

// A group has a colour, an entry in the legend, and its operators inside. Numbers and weights are written where they are used.
//      CHECK: <svg xmlns="http://www.w3.org/2000/svg"
//      CHECK: class="title"{{.*}}>forward</text>
//      CHECK: fill="#dbeafe"
// CHECK-NEXT: >group 1: add, tanh</text>
//      CHECK: <title>f32[4,8]</title></path>
//      CHECK: >x</text>
//  CHECK-NOT: >arith.constant
//  CHECK-NOT: >jit.slot_get
//      CHECK: <title>{{.*}}group.mlir:[[# @LINE + 14]]
//      CHECK: >linear</text>
//      CHECK: >weight encoder.weight f32[8,8]</text>
//      CHECK: >f32[4,8]</text>
//      CHECK: fill="#dbeafe"
//      CHECK: >group 1</text>
//      CHECK: >add</text>
// CHECK-NEXT: >alpha 3</text>
//      CHECK: >tanh</text>
//      CHECK: >result</text>
jit.slot @encoder.weight : !jit.tensor<[8,8],f32> = #jit.storage<"data/0", 0, [8, 1]>
func.func @forward(%x: !jit.tensor<[4,8],f32> {jit.name = "x"}) -> !jit.tensor<[4,8],f32> {
  %w = jit.slot_get @encoder.weight : !jit.tensor<[8,8],f32>
  %none = jit.constant !jit.none = unit
  %0 = aten.linear %x, %w, %none : (!jit.tensor<[4,8],f32>, !jit.tensor<[8,8],f32>, !jit.none) -> !jit.tensor<[4,8],f32>
  %c3 = arith.constant 3 : i64
  %1 = jit.group -> (!jit.tensor<[4,8],f32>) {
    %2 = aten.add.Tensor %0, %x, %c3 : (!jit.tensor<[4,8],f32>, !jit.tensor<[4,8],f32>, i64) -> !jit.tensor<[4,8],f32>
    %3 = aten.tanh %2 : (!jit.tensor<[4,8],f32>) -> !jit.tensor<[4,8],f32>
    jit.yield %3 : !jit.tensor<[4,8],f32>
  }
  return %1 : !jit.tensor<[4,8],f32>
}
