// RUN: jit-opt %s --jit-specialize="args=f32[2,3]" --canonicalize | FileCheck %s

// In tuples, dicts, Optionals, and in joined lists a tensor whose sizes change is the same tensor; what contiguous gives of a dense
// tensor is that tensor, too.
// CHECK-LABEL: func.func @forward
// CHECK: %[[T:.*]] = aten.clone
// CHECK: %[[U:.*]] = aten.unsqueeze %[[T]]
// CHECK-NOT: jit.become
// CHECK: return %[[U]], %[[U]], %[[U]], %[[U]], %[[U]]
!p = !jit.tuple<!jit.tensor, !jit.dict<!jit.str, !jit.tensor>>
func.func @forward(%x: !jit.tensor) -> (!p, !jit.list<!jit.tensor>, !jit.optional<!jit.tensor>, !jit.tensor) {
  %none = jit.constant !jit.none = unit
  %zero = arith.constant 0 : i64
  %a = jit.constant !jit.str = "a"
  %t = aten.clone %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %d = jit.dict keys(%a : !jit.str) values(%t : !jit.tensor) : !jit.dict<!jit.str, !jit.tensor>
  %p = jit.tuple %t, %d : (!jit.tensor, !jit.dict<!jit.str, !jit.tensor>) -> !p
  %l = jit.list %t : (!jit.tensor) -> !jit.list<!jit.tensor>
  %o = jit.derefine %t : !jit.tensor to !jit.optional<!jit.tensor>
  %same = aten.contiguous %t, %zero : (!jit.tensor, i64) -> !jit.tensor
  %u = aten.unsqueeze %t, %zero : (!jit.tensor, i64) -> !jit.tensor
  %b = jit.become %t, %u : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %p, %l, %o, %same : !p, !jit.list<!jit.tensor>, !jit.optional<!jit.tensor>, !jit.tensor
}
