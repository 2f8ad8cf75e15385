// RUN: rm -rf %t && mkdir %t
// RUN: jit-reduce %s --input='f32[6,8]' --input='f32[6,8]' --mismatch --output=%t/small.mlir --seed-fault="after=simplify kind=swap op=aten.sub.Tensor" 2>&1 | FileCheck %s --check-prefix=STEPS
// RUN: FileCheck %s --check-prefix=SMALL --input-file=%t/small.mlir
// RUN: not jit-diff %t/small.mlir --input=@%t/small.0.npy --input=@%t/small.1.npy --seed-fault="after=simplify kind=swap op=aten.sub.Tensor" | FileCheck %s --check-prefix=AGAIN

// The operator that is wrong is what is left, of the smallest sizes, with inputs that show it.

// STEPS: model.py:4: aten.sub.Tensor is wrong
// STEPS: small.mlir: 1 of 6 operators

// SMALL: // jit-run {{.*}}small.mlir --input=@{{.*}}small.0.npy --input=@{{.*}}small.1.npy
// SMALL: -> !jit.tensor<[1,1],f32>
// SMALL-COUNT-1: aten.
// SMALL-NOT: aten.
// SMALL: loc("model.py":4:5)

// AGAIN: model.py:4: aten.sub.Tensor is wrong
func.func @forward(%x: !jit.tensor<[6,8],f32>, %y: !jit.tensor<[6,8],f32>) -> (!jit.tensor<[6,8],f32>, !jit.tensor<[],f32>) {
  %c1 = arith.constant 1 : i64
  %none = jit.constant !jit.none = unit
  %a = aten.sin %x : (!jit.tensor<[6,8],f32>) -> !jit.tensor<[6,8],f32> loc("model.py":2:5)
  %b = aten.exp %y : (!jit.tensor<[6,8],f32>) -> !jit.tensor<[6,8],f32> loc("model.py":3:5)
  %d = aten.sub.Tensor %a, %b, %c1 : (!jit.tensor<[6,8],f32>, !jit.tensor<[6,8],f32>, i64) -> !jit.tensor<[6,8],f32> loc("model.py":4:5)
  %r = aten.relu %d : (!jit.tensor<[6,8],f32>) -> !jit.tensor<[6,8],f32> loc("model.py":5:5)
  %t = aten.tanh %r : (!jit.tensor<[6,8],f32>) -> !jit.tensor<[6,8],f32> loc("model.py":6:5)
  %s = aten.sum %t, %none : (!jit.tensor<[6,8],f32>, !jit.none) -> !jit.tensor<[],f32> loc("model.py":7:5)
  return %t, %s : !jit.tensor<[6,8],f32>, !jit.tensor<[],f32>
}
