// RUN: jit-opt %s --jit-differentiate | FileCheck %s

// What a while loop carries may depend on what is differentiated only from the second trip on, by something else that it carries.

// CHECK-LABEL: func.func @forward
//       CHECK: scf.for
//       CHECK: aten.sin
//       CHECK: aten.cos
//       CHECK: return
func.func @forward(%x: !jit.tensor<[4],f32> {jit.requires_grad}, %z: !jit.tensor<[4],f32>, %n: i64) -> !jit.tensor<[4],f32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r:3 = scf.while (%a = %z, %b = %z, %i = %c0) : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>, i64) -> (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>, i64) {
    %more = arith.cmpi slt, %i, %n : i64
    scf.condition(%more) %a, %b, %i : !jit.tensor<[4],f32>, !jit.tensor<[4],f32>, i64
  } do {
  ^bb0(%a: !jit.tensor<[4],f32>, %b: !jit.tensor<[4],f32>, %i: i64):
    %s = aten.sin %b : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    %t = aten.mul.Tensor %b, %x : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    %next = arith.addi %i, %c1 : i64
    scf.yield %s, %t, %next : !jit.tensor<[4],f32>, !jit.tensor<[4],f32>, i64
  }
  return %r#0 : !jit.tensor<[4],f32>
}
