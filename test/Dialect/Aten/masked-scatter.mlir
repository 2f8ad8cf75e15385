// RUN: jit-opt %s --jit-decompose | FileCheck %s

// How many are filled in is known when the mask is: the call ends where there are not enough.
// CHECK-LABEL: func.func @fill_in(
//       CHECK:   %[[N:.*]] = aten.item
//       CHECK:   arith.cmpi sle, %[[N]], %{{.*}}
//       CHECK:   jit.guard %{{.*}}, "builtins.RuntimeError", "expected at least {} elements to fill in, got {}"
//       CHECK:   aten.where.self
func.func @fill_in(%x: !jit.tensor<[2,3],f32>, %m: !jit.tensor<[3],i1>, %v: !jit.tensor<[4],f32>) -> !jit.tensor<[2,3],f32> {
  %r = aten.masked_scatter %x, %m, %v : (!jit.tensor<[2,3],f32>, !jit.tensor<[3],i1>, !jit.tensor<[4],f32>) -> !jit.tensor<[2,3],f32>
  return %r : !jit.tensor<[2,3],f32>
}
