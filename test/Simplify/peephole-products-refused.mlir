// RUN: jit-opt %s --jit-peephole | FileCheck %s

// A product that is used as it is, too, one with a bias, a batch of matrices times a vector, and none of known sizes.

// CHECK-LABEL: func.func @forward
// CHECK-COUNT-4: aten.t %
//       CHECK: return
func.func @forward(%x: !jit.tensor<[8,3],f32>, %w: !jit.tensor<[5,3],f32>, %b: !jit.tensor<[5],f32>, %m: !jit.tensor<[2,8,3],f32>, %v: !jit.tensor<[3],f32>,
                   %u: !jit.tensor<[?,3],f32>, %y: !jit.tensor<[3,5],f32>)
    -> (!jit.tensor<[8,5],f32>, !jit.tensor<[5,8],f32>, !jit.tensor<[5,8],f32>, !jit.tensor<[8,2],f32>, !jit.tensor<[5,?],f32>) {
  %p = aten.mm %x, %y : (!jit.tensor<[8,3],f32>, !jit.tensor<[3,5],f32>) -> !jit.tensor<[8,5],f32>
  %pt = aten.t %p : (!jit.tensor<[8,5],f32>) -> !jit.tensor<[5,8],f32>
  %q = aten.linear %x, %w, %b : (!jit.tensor<[8,3],f32>, !jit.tensor<[5,3],f32>, !jit.tensor<[5],f32>) -> !jit.tensor<[8,5],f32>
  %qt = aten.t %q : (!jit.tensor<[8,5],f32>) -> !jit.tensor<[5,8],f32>
  %r = aten.matmul %m, %v : (!jit.tensor<[2,8,3],f32>, !jit.tensor<[3],f32>) -> !jit.tensor<[2,8],f32>
  %rt = aten.t %r : (!jit.tensor<[2,8],f32>) -> !jit.tensor<[8,2],f32>
  %s = aten.mm %u, %y : (!jit.tensor<[?,3],f32>, !jit.tensor<[3,5],f32>) -> !jit.tensor<[?,5],f32>
  %st = aten.t %s : (!jit.tensor<[?,5],f32>) -> !jit.tensor<[5,?],f32>
  return %p, %pt, %qt, %rt, %st : !jit.tensor<[8,5],f32>, !jit.tensor<[5,8],f32>, !jit.tensor<[5,8],f32>, !jit.tensor<[8,2],f32>, !jit.tensor<[5,?],f32>
}
