// RUN: jit-opt %s --jit-lower | FileCheck %s

!m = !jit.tensor<[?,3],f32>

// CHECK-LABEL: func.func @pad
// CHECK:         %[[N:.*]] = tensor.dim
// CHECK:         arith.addi %[[N]]
// CHECK:         tensor.insert_slice
func.func @pad(%x: !m) -> !m attributes {jit.symbolic} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %pad = jit.list %zero, %zero, %one, %one : (i64, i64, i64, i64) -> !jit.list<i64>
  %r = aten.constant_pad_nd %x, %pad, %zero : (!m, !jit.list<i64>, i64) -> !m
  return %r : !m
}

// An index may be smaller than the tensor in the other dimensions, not larger.
// CHECK-LABEL: func.func @gather
// CHECK:         arith.cmpi sle
// CHECK:         jit.guard %{{.*}}, "builtins.RuntimeError"
func.func @gather(%x: !m, %at: !jit.tensor<[2,3],i64>) -> !jit.tensor<[2,3],f32> attributes {jit.symbolic} {
  %one = arith.constant 1 : i64
  %false = arith.constant false
  %r = aten.gather %x, %one, %at, %false : (!m, i64, !jit.tensor<[2,3],i64>, i1) -> !jit.tensor<[2,3],f32>
  return %r : !jit.tensor<[2,3],f32>
}
