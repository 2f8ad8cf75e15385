// RUN: jit-opt %s --jit-to-linalg="args=f32[4]" | FileCheck %s

// What data tell has to be three elements; what comes before the guard does not count on it.
// CHECK-LABEL: func.func @forward(
//       CHECK:   jit.guard {{.*}} "jit.UnequalSizes"
//       CHECK:   linalg.generic {{.*}} outs(%{{.*}} : tensor<{{[?3]}}xf32>)
func.func @forward(%x: !jit.tensor {jit.name = "x"}) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %mask = aten.gt.Scalar %x, %zero : (!jit.tensor, i64) -> !jit.tensor
  %index = jit.derefine %mask : !jit.tensor to !jit.optional<!jit.tensor>
  %indices = jit.list %index : (!jit.optional<!jit.tensor>) -> !jit.list<!jit.optional<!jit.tensor>>
  %picked = aten.index.Tensor %x, %indices : (!jit.tensor, !jit.list<!jit.optional<!jit.tensor>>) -> !jit.tensor
  %three = arith.constant 3 : i64
  %sizes = jit.list %three : (i64) -> !jit.list<i64>
  %implicit = arith.constant false
  %wide = aten.expand %picked, %sizes, %implicit : (!jit.tensor, !jit.list<i64>, i1) -> !jit.tensor
  return %wide : !jit.tensor
}
