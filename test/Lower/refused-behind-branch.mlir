// RUN: jit-opt %s --jit-lower | FileCheck %s

// An operator without a lowering in a branch on data ends the calls that get there.
// CHECK-LABEL: func.func @branch
// CHECK: scf.if
// CHECK: jit.guard %false, "jit.Unsupported", "expected an operator with a lowering, got aten.roll; it needs the rank of self and the values of shifts and dims"
// CHECK: else
func.func @branch(%x: !jit.tensor<[4],f32>, %c: i1, %n: i64) -> !jit.tensor<[4],f32> {
  %0 = scf.if %c -> !jit.tensor<[4],f32> {
    %one = arith.constant 1 : i64
    %shifts = jit.list %one : (i64) -> !jit.list<i64>
    %dims = jit.list %n : (i64) -> !jit.list<i64>
    %1 = aten.roll %x, %shifts, %dims : (!jit.tensor<[4],f32>, !jit.list<i64>, !jit.list<i64>) -> !jit.tensor<[4],f32>
    scf.yield %1 : !jit.tensor<[4],f32>
  } else {
    scf.yield %x : !jit.tensor<[4],f32>
  }
  return %0 : !jit.tensor<[4],f32>
}

// A size that the call tells has one.
// CHECK-LABEL: func.func @size
// CHECK-NOT: jit.guard %false
// CHECK: tensor.dim
// CHECK-NOT: jit.guard %false
// CHECK: return
func.func @size(%x: !jit.tensor<[?],f32>, %c: i1) -> i64 attributes {jit.symbolic} {
  %zero = arith.constant 0 : i64
  %0 = scf.if %c -> i64 {
    %1 = aten.size.int %x, %zero : (!jit.tensor<[?],f32>, i64) -> i64
    scf.yield %1 : i64
  } else {
    scf.yield %zero : i64
  }
  return %0 : i64
}
