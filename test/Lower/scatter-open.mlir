// RUN: jit-opt %s --jit-lower | FileCheck %s

!m = !jit.tensor<[?,3],f32>
!at = !jit.tensor<[?,3],i64>

// As many places as the call has, each inside of the rows that the call has; an index is no larger than the source.
// CHECK-LABEL: func.func @scatter_add(
// CHECK:         arith.cmpi sle
// CHECK:         jit.guard %{{.*}}, "builtins.RuntimeError", "expected an index no larger than the tensor
// CHECK:         jit.guard %{{.*}}, "builtins.IndexError"
// CHECK:         scf.for
// CHECK:         arith.addf
// CHECK:         tensor.insert %{{.*}} into %{{.*}} : tensor<?x3xf32>
func.func @scatter_add(%x: !m, %i: !at, %y: !m) -> !m attributes {jit.symbolic} {
  %c0 = arith.constant 0 : i64
  %r = aten.scatter_add %x, %c0, %i, %y : (!m, i64, !at, !m) -> !m
  return %r : !m
}

// A mean counts in a tensor of the call's size.
// CHECK-LABEL: func.func @mean(
// CHECK:         linalg.fill
// CHECK:         tensor.insert
// CHECK:         linalg.generic
// CHECK:         arith.divf
func.func @mean(%x: !m, %i: !at, %y: !m) -> !m attributes {jit.symbolic} {
  %c0 = arith.constant 0 : i64
  %own = arith.constant true
  %how = jit.constant !jit.str = "mean"
  %r = aten.scatter_reduce.two %x, %c0, %i, %y, %how, %own : (!m, i64, !at, !m, !jit.str, i1) -> !m
  return %r : !m
}
