// RUN: jit-diff %s --input='f16[40,50]' --input='f16[50,30]' | FileCheck %s

// What rounds is not wrong: sums of halves, differences of nearly equal numbers, NaN from a division of zeros, an infinity that f64
// would not have.

// CHECK: equal: 8 operators
func.func @forward(%a: !jit.tensor<[40,50],f16>, %b: !jit.tensor<[50,30],f16>) -> (!jit.tensor<[40,30],f16>, !jit.tensor<[40,30],f16>, !jit.tensor<[40,30],f16>) {
  %c1 = arith.constant 1 : i64
  %large = arith.constant 6.0e+04 : f64
  %p = aten.matmul %a, %b : (!jit.tensor<[40,50],f16>, !jit.tensor<[50,30],f16>) -> !jit.tensor<[40,30],f16>
  %m = aten.mul.Scalar %p, %large : (!jit.tensor<[40,30],f16>, f64) -> !jit.tensor<[40,30],f16>
  %e = aten.exp %p : (!jit.tensor<[40,30],f16>) -> !jit.tensor<[40,30],f16>
  %l = aten.log %e : (!jit.tensor<[40,30],f16>) -> !jit.tensor<[40,30],f16>
  %d = aten.sub.Tensor %l, %p, %c1 : (!jit.tensor<[40,30],f16>, !jit.tensor<[40,30],f16>, i64) -> !jit.tensor<[40,30],f16>
  %f = aten.floor %d : (!jit.tensor<[40,30],f16>) -> !jit.tensor<[40,30],f16>
  %z = aten.sub.Tensor %f, %f, %c1 : (!jit.tensor<[40,30],f16>, !jit.tensor<[40,30],f16>, i64) -> !jit.tensor<[40,30],f16>
  %n = aten.div.Tensor %z, %z : (!jit.tensor<[40,30],f16>, !jit.tensor<[40,30],f16>) -> !jit.tensor<[40,30],f16>
  return %m, %d, %n : !jit.tensor<[40,30],f16>, !jit.tensor<[40,30],f16>, !jit.tensor<[40,30],f16>
}
