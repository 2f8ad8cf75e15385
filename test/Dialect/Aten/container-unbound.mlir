// RUN: jit-opt %s --split-input-file --jit-specialize="args=f32[3,4],f32[3,4]" | FileCheck %s

// The element of x.unbind(0) that only the loop's counter tells is a slice of x.

// CHECK-LABEL: func.func @forward
//  CHECK-SAME: (%[[X:arg[0-9]+]]: !jit.tensor<[3,4],f32>
//       CHECK: scf.for %[[I:arg[0-9]+]] =
//       CHECK: aten.select.int %[[X]], %{{.*}}, %[[I]]
func.func @forward(%x: !jit.tensor, %y: !jit.tensor) -> !jit.tensor {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %rows = aten.unbind.int %x, %0 : (!jit.tensor, i64) -> !jit.list<!jit.tensor>
  %n = aten.len.t %rows : (!jit.list<!jit.tensor>) -> i64
  %start = aten.select.int %y, %0, %0 : (!jit.tensor, i64, i64) -> !jit.tensor
  %r = scf.for %i = %0 to %n step %1 iter_args(%c = %start) -> !jit.tensor : i64 {
    %row = aten.__getitem__.t %rows, %i : (!jit.list<!jit.tensor>, i64) -> !jit.tensor
    %next = aten.mul.Tensor %c, %row : (!jit.tensor, !jit.tensor) -> !jit.tensor
    scf.yield %next : !jit.tensor
  }
  return %r : !jit.tensor
}

// -----

// The rows of two tensors in one list are no slices of one.

//   CHECK-LABEL: func.func @forward
//     CHECK-NOT: scf.for
// CHECK-COUNT-3: aten.mul.Tensor
//         CHECK: return
func.func @forward(%x: !jit.tensor, %y: !jit.tensor) -> !jit.tensor {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %3 = arith.constant 3 : i64
  %a = aten.select.int %x, %0, %0 : (!jit.tensor, i64, i64) -> !jit.tensor
  %b = aten.select.int %y, %0, %1 : (!jit.tensor, i64, i64) -> !jit.tensor
  %rows = jit.list %a, %b, %a : (!jit.tensor, !jit.tensor, !jit.tensor) -> !jit.list<!jit.tensor>
  %r = scf.for %i = %0 to %3 step %1 iter_args(%c = %a) -> !jit.tensor : i64 {
    %row = aten.__getitem__.t %rows, %i : (!jit.list<!jit.tensor>, i64) -> !jit.tensor
    %next = aten.mul.Tensor %c, %row : (!jit.tensor, !jit.tensor) -> !jit.tensor
    scf.yield %next : !jit.tensor
  }
  return %r : !jit.tensor
}
