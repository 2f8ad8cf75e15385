// RUN: jit-opt %s --jit-specialize="args=f32[2],f32[2],f32[2],f32[2],f32[2],f32[2],f32[2]" --canonicalize | FileCheck %s

// Six strings that data choose are told apart, each in a way of its own. Of a seventh what is asked is asked of each of the two that it may be: no string is left.

// CHECK-LABEL: func.func @forward
// CHECK-NOT: !jit.str
// CHECK-NOT: aten.len
// CHECK-NOT: aten.eq
// CHECK: arith.select %{{.*}}, %c9_i64, %c0_i64
// CHECK: scf.yield %{{[0-9]+}}, %{{[0-9]+}} : i64, i1
// CHECK-NOT: !jit.str
// CHECK-NOT: aten.len
// CHECK-NOT: aten.eq
// CHECK: return
func.func @forward(%x0: !jit.tensor, %x1: !jit.tensor, %x2: !jit.tensor, %x3: !jit.tensor, %x4: !jit.tensor, %x5: !jit.tensor, %x6: !jit.tensor) -> (i64, i64, i64, i64, i64, i64, i64, i1) {
  %none = jit.constant !jit.none = unit
  %why = jit.constant !jit.str = "it is not"
  %empty = jit.constant !jit.str = ""
  %sum0 = aten.sum %x0, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %holds0 = aten.Bool.Tensor %sum0 : (!jit.tensor) -> i1
  %text0 = scf.if %holds0 -> !jit.str {
    scf.yield %why : !jit.str
  } else {
    scf.yield %empty : !jit.str
  }
  %sum1 = aten.sum %x1, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %holds1 = aten.Bool.Tensor %sum1 : (!jit.tensor) -> i1
  %text1 = scf.if %holds1 -> !jit.str {
    scf.yield %why : !jit.str
  } else {
    scf.yield %empty : !jit.str
  }
  %sum2 = aten.sum %x2, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %holds2 = aten.Bool.Tensor %sum2 : (!jit.tensor) -> i1
  %text2 = scf.if %holds2 -> !jit.str {
    scf.yield %why : !jit.str
  } else {
    scf.yield %empty : !jit.str
  }
  %sum3 = aten.sum %x3, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %holds3 = aten.Bool.Tensor %sum3 : (!jit.tensor) -> i1
  %text3 = scf.if %holds3 -> !jit.str {
    scf.yield %why : !jit.str
  } else {
    scf.yield %empty : !jit.str
  }
  %sum4 = aten.sum %x4, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %holds4 = aten.Bool.Tensor %sum4 : (!jit.tensor) -> i1
  %text4 = scf.if %holds4 -> !jit.str {
    scf.yield %why : !jit.str
  } else {
    scf.yield %empty : !jit.str
  }
  %sum5 = aten.sum %x5, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %holds5 = aten.Bool.Tensor %sum5 : (!jit.tensor) -> i1
  %text5 = scf.if %holds5 -> !jit.str {
    scf.yield %why : !jit.str
  } else {
    scf.yield %empty : !jit.str
  }
  %sum6 = aten.sum %x6, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %holds6 = aten.Bool.Tensor %sum6 : (!jit.tensor) -> i1
  %text6 = scf.if %holds6 -> !jit.str {
    scf.yield %why : !jit.str
  } else {
    scf.yield %empty : !jit.str
  }
  %length0 = aten.len.str %text0 : (!jit.str) -> i64
  %length1 = aten.len.str %text1 : (!jit.str) -> i64
  %length2 = aten.len.str %text2 : (!jit.str) -> i64
  %length3 = aten.len.str %text3 : (!jit.str) -> i64
  %length4 = aten.len.str %text4 : (!jit.str) -> i64
  %length5 = aten.len.str %text5 : (!jit.str) -> i64
  %length6 = aten.len.str %text6 : (!jit.str) -> i64
  %same = aten.eq.str %text0, %text6 : (!jit.str, !jit.str) -> i1
  return %length0, %length1, %length2, %length3, %length4, %length5, %length6, %same : i64, i64, i64, i64, i64, i64, i64, i1
}
