// RUN: jit-opt %s --jit-specialize=args=f32[3],f32[2] | FileCheck %s

// One gradient for each input; None for one that no output depends on, which settles what asks for it.

// CHECK-LABEL: func.func @forward
//       CHECK: %[[X:.*]] = aten._leaf %arg0
//       CHECK: aten._gradient {{.*}} -> !jit.tensor<[3],f32>
//   CHECK-NOT: aten._gradient
//   CHECK-NOT: scf.if
//       CHECK: return %{{.*}}, %{{true.*}} :
func.func @forward(%x: !jit.tensor, %y: !jit.tensor) -> (!jit.optional<!jit.tensor>, i1) {
  %none = jit.constant !jit.none = unit
  %false = arith.constant false
  %true = arith.constant true
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %a = aten._leaf %x : (!jit.tensor) -> !jit.tensor
  %b = aten._leaf %y : (!jit.tensor) -> !jit.tensor
  %e = aten.sum %a, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %outputs = jit.list %e : (!jit.tensor) -> !jit.list<!jit.tensor>
  %inputs = jit.list %a, %b : (!jit.tensor, !jit.tensor) -> !jit.list<!jit.tensor>
  %g = aten.grad %outputs, %inputs, %none, %none, %false, %true : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.none, !jit.none, i1, i1) -> !jit.list<!jit.optional<!jit.tensor>>
  %0 = aten.__getitem__.t %g, %zero : (!jit.list<!jit.optional<!jit.tensor>>, i64) -> !jit.optional<!jit.tensor>
  %1 = aten.__getitem__.t %g, %one : (!jit.list<!jit.optional<!jit.tensor>>, i64) -> !jit.optional<!jit.tensor>
  %2 = aten.__is__ %1, %none : (!jit.optional<!jit.tensor>, !jit.none) -> i1
  return %0, %2 : !jit.optional<!jit.tensor>, i1
}
