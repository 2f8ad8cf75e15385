// RUN: jit-opt %s --jit-peephole=after-gradients | FileCheck %s
// RUN: jit-opt %s --jit-peephole | FileCheck %s --check-prefix=KEPT

// What stops gradients is nothing where none are to come; other operators stay whole.

//      CHECK: func.func @forward(%[[X:.*]]: !jit.tensor<[2],f32>, %[[Y:.*]]: !jit.tensor<[2],f32>)
//  CHECK-NOT: aten.detach
//  CHECK-NOT: aten._with_elements
//      CHECK: %[[Z:.*]] = aten.mul.Tensor %[[X]], %[[Y]]
//      CHECK: %[[R:.*]] = aten.addcmul %[[Z]]
//      CHECK: return %[[R]]
//       KEPT: aten.detach
//       KEPT: aten._with_elements
func.func @forward(%x: !jit.tensor<[2],f32>, %y: !jit.tensor<[2],f32>) -> !jit.tensor<[2],f32> {
  %0 = aten.detach %x : (!jit.tensor<[2],f32>) -> !jit.tensor<[2],f32>
  %1 = aten._with_elements %x, %y : (!jit.tensor<[2],f32>, !jit.tensor<[2],f32>) -> !jit.tensor<[2],f32>
  %2 = aten.mul.Tensor %0, %1 : (!jit.tensor<[2],f32>, !jit.tensor<[2],f32>) -> !jit.tensor<[2],f32>
  %one = arith.constant 1 : i64
  %3 = aten.addcmul %2, %x, %y, %one : (!jit.tensor<[2],f32>, !jit.tensor<[2],f32>, !jit.tensor<[2],f32>, i64) -> !jit.tensor<[2],f32>
  return %3 : !jit.tensor<[2],f32>
}
