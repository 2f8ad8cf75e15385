// RUN: jit-opt %s --jit-decompose | FileCheck %s

// Classes are counted where there are numbers; their sizes need not be known.
// CHECK: jit.guard {{.*}}"expected num_classes to be given
// CHECK: aten.amax
// CHECK: aten.arange.start_step
// CHECK: aten.eq.Tensor
func.func @counted(%x: !jit.tensor<[?],i64>) -> !jit.tensor {
  %minus = arith.constant -1 : i64
  %r = aten.one_hot %x, %minus : (!jit.tensor<[?],i64>, i64) -> !jit.tensor
  return %r : !jit.tensor
}
