// RUN: jit-opt %s --jit-lower | FileCheck %s

!v = !jit.tensor<[?],f32>

// Of nothing there is no largest element.
// CHECK-LABEL: func.func @argmax
// CHECK:         %[[N:.*]] = tensor.dim
// CHECK:         %[[SOME:.*]] = arith.cmpi ne, %[[N]]
// CHECK:         jit.guard %[[SOME]], "builtins.IndexError"
func.func @argmax(%x: !v) -> !jit.tensor<[],i64> attributes {jit.symbolic} {
  %zero = arith.constant 0 : i64
  %false = arith.constant false
  %r = aten.argmax %x, %zero, %false : (!v, i64, i1) -> !jit.tensor<[],i64>
  return %r : !jit.tensor<[],i64>
}

// CHECK-LABEL: func.func @amax
// CHECK:         jit.guard %{{.*}}, "builtins.IndexError"
func.func @amax(%x: !v) -> !jit.tensor<[],f32> attributes {jit.symbolic} {
  %dims = jit.list : () -> !jit.list<i64>
  %false = arith.constant false
  %r = aten.amax %x, %dims, %false : (!v, !jit.list<i64>, i1) -> !jit.tensor<[],f32>
  return %r : !jit.tensor<[],f32>
}

// As many steps as the call has elements.
// CHECK-LABEL: func.func @cumsum
// CHECK:         %[[N:.*]] = tensor.dim
// CHECK:         scf.for %{{.*}} = %{{.*}} to %[[N]]
func.func @cumsum(%x: !v) -> !v attributes {jit.symbolic} {
  %zero = arith.constant 0 : i64
  %none = jit.constant !jit.none = unit
  %r = aten.cumsum %x, %zero, %none : (!v, i64, !jit.none) -> !v
  return %r : !v
}
