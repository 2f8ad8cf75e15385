// Where the gradient of a choice is absent it is zeros, and so are those of what it may be: they are added as they stand, chosen once.
// RUN: jit-opt %s --jit-differentiate="entry=forward" --canonicalize --cse | FileCheck %s

!t = !jit.tensor<[3],f32>

// CHECK-LABEL: func.func @forward(
//   CHECK-NOT: scf.if
//       CHECK: aten.add.Tensor
//   CHECK-NOT: scf.if
//       CHECK: return
func.func @forward(%x: !t {jit.requires_grad}, %y: !t {jit.requires_grad}, %z: !t, %c: i1, %d: i1) -> !t {
  %inner = arith.select %c, %x, %y : !t
  %outer = arith.select %d, %inner, %z : !t
  %both = arith.select %c, %outer, %x : !t
  return %both : !t
}
