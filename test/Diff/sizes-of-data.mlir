// RUN: jit-diff %s --input='f32[4,6]' --verbose | FileCheck %s --check-prefix=EQUAL
// RUN: not jit-diff %s --input='f32[4,6]' --seed-fault="after=fuse kind=negate op=aten.mul.Scalar" | FileCheck %s --check-prefix=WRONG

// Operators on values whose sizes data tell are compared for the sizes that they have in the call.

// EQUAL-NOT: not compared
// EQUAL: equal: 10 operators
// WRONG: model.py:4: aten.mul.Scalar is wrong
func.func @forward(%x: !jit.tensor<[4,6],f32>) -> !jit.tensor<[?],f32> {
  %half = arith.constant 5.0e-01 : f64
  %zero = arith.constant 0.0 : f64
  %m = aten.gt.Scalar %x, %zero : (!jit.tensor<[4,6],f32>, f64) -> !jit.tensor<[4,6],i1> loc("model.py":2:5)
  %v = aten.masked_select %x, %m : (!jit.tensor<[4,6],f32>, !jit.tensor<[4,6],i1>) -> !jit.tensor<[?],f32> loc("model.py":3:5)
  %y = aten.mul.Scalar %v, %half : (!jit.tensor<[?],f32>, f64) -> !jit.tensor<[?],f32> loc("model.py":4:5)
  %s = aten.sqrt %y : (!jit.tensor<[?],f32>) -> !jit.tensor<[?],f32> loc("model.py":5:5)
  return %s : !jit.tensor<[?],f32>
}
