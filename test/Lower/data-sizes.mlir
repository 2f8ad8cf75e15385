// RUN: jit-opt %s --jit-lower | FileCheck %s

!v = !jit.tensor<[?],f32>

// Two sizes that data tell: where one is 1 PyTorch broadcasts, which is not supported; else they have to be equal.
// CHECK-LABEL: func.func @chosen
// CHECK:         jit.guard %{{.*}}, "jit.Unsupported", "expected a size that data tell not to be 1 where another one is, got {} and {}"
// CHECK:         jit.guard %{{.*}}, "jit.UnequalSizes"
func.func @chosen(%x: !jit.tensor<[4],f32>, %m: !jit.tensor<[4],i1>, %n: !jit.tensor<[4],i1>) -> !v {
  %a = aten.masked_select %x, %m : (!jit.tensor<[4],f32>, !jit.tensor<[4],i1>) -> !v
  %b = aten.masked_select %x, %n : (!jit.tensor<[4],f32>, !jit.tensor<[4],i1>) -> !v
  %one = arith.constant 1 : i64
  %r = aten.add.Tensor %a, %b, %one : (!v, !v, i64) -> !v
  return %r : !v
}

// Code for any sizes gives way to exact code.
// CHECK-LABEL: func.func @any
// CHECK-NOT:     jit.Unsupported
// CHECK:         jit.guard %{{.*}}, "jit.UnequalSizes"
func.func @any(%a: !v, %b: !v) -> !v attributes {jit.symbolic} {
  %one = arith.constant 1 : i64
  %r = aten.add.Tensor %a, %b, %one : (!v, !v, i64) -> !v
  return %r : !v
}
