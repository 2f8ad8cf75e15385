// RUN: not jit-diff %s --input='f32[5]' --seed-fault="after=simplify kind=scale op=aten.exp when=used-once" | FileCheck %s

// A fault that is gone when the value is a result too is found by cutting the program.

// CHECK: model.py:3: aten.exp is wrong
// CHECK: expected {{.*}}, got {{.*}}; 5 of 5 are off by more
// CHECK: it is right while other values are results too
func.func @forward(%x: !jit.tensor<[5],f32>) -> !jit.tensor<[5],f32> {
  %c1 = arith.constant 1 : i64
  %s = aten.sin %x : (!jit.tensor<[5],f32>) -> !jit.tensor<[5],f32> loc("model.py":2:5)
  %e = aten.exp %s : (!jit.tensor<[5],f32>) -> !jit.tensor<[5],f32> loc("model.py":3:5)
  %t = aten.tanh %e : (!jit.tensor<[5],f32>) -> !jit.tensor<[5],f32> loc("model.py":4:5)
  %y = aten.add.Tensor %t, %x, %c1 : (!jit.tensor<[5],f32>, !jit.tensor<[5],f32>, i64) -> !jit.tensor<[5],f32> loc("model.py":5:5)
  return %y : !jit.tensor<[5],f32>
}
