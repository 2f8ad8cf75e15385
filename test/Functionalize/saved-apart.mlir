// RUN: jit-opt %s --jit-functionalize-tensors | FileCheck %s

// Parts of one memory that have no place in common are written as any state.
jit.slot @first : !jit.tensor<[2],f32> = #jit.storage<"data/0", 0, [1]> {jit.mutable}
jit.slot @second : !jit.tensor<[2],f32> = #jit.storage<"data/0", 2, [1]>
// CHECK-LABEL: func.func @forward(
//  CHECK-SAME:     %{{.*}}: !jit.tensor<[2],f32> {jit.slot = "first"}, %[[X:.*]]: !jit.tensor<[2],f32>
//       CHECK:   %[[NEW:.*]] = jit.derefine %[[X]]
//       CHECK:   return %[[NEW]]
func.func @forward(%s: !jit.tensor<[2],f32> {jit.slot = "first"}, %x: !jit.tensor<[2],f32>) -> !jit.tensor<[2],f32>
    attributes {jit.outputs = [{slot = "first", value = 0 : i64}]} {
  %r = jit.overwrite %s, %x : (!jit.tensor<[2],f32>, !jit.tensor<[2],f32>) -> !jit.tensor<[2],f32>
  return %r : !jit.tensor<[2],f32>
}
