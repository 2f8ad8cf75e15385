// RUN: jit-opt %s --jit-specialize="args=f32[6]" | FileCheck %s

// A tensor that is resized to the sizes that it has stays the tensor that it is; one that requires a gradient is refused all the same.

// CHECK-LABEL: func.func @forward
// CHECK: %[[Y:.*]] = aten.exp
// CHECK: %[[FREE:.*]] = aten.requires_grad %[[Y]]
// CHECK: jit.guard %{{.*}}, "builtins.RuntimeError", "cannot resize variables that require grad"
// CHECK-NOT: aten.as_strided
// CHECK-NOT: aten.cat
// CHECK: return %[[Y]]
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %six = arith.constant 6 : i64
  %none = jit.constant !jit.none = unit
  %y = aten.exp %x : (!jit.tensor) -> !jit.tensor
  %row = jit.list %six : (i64) -> !jit.list<i64>
  %same = aten._resized %y, %row, %none : (!jit.tensor, !jit.list<i64>, !jit.none) -> !jit.tensor
  %1 = jit.become %y, %same : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %y : !jit.tensor
}
