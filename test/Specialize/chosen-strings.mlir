// RUN: jit-opt %s --jit-specialize="args=f32[2]" | FileCheck %s

// No string exists while a program is run: the length of one that data choose is chosen.

// CHECK-LABEL: func.func @forward
//   CHECK-NOT: -> (!jit.str)
//       CHECK: %[[LENGTH:.*]] = scf.if %{{.*}} -> (i64)
//   CHECK-NOT: aten.len
//       CHECK: return
func.func @forward(%x: !jit.tensor) -> i64 {
  %none = jit.constant !jit.none = unit
  %why = jit.constant !jit.str = "it is not"
  %empty = jit.constant !jit.str = ""
  %sum = aten.sum %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %holds = aten.Bool.Tensor %sum : (!jit.tensor) -> i1
  %text = scf.if %holds -> !jit.str {
    scf.yield %why : !jit.str
  } else {
    scf.yield %empty : !jit.str
  }
  %length = aten.len.str %text : (!jit.str) -> i64
  return %length : i64
}
