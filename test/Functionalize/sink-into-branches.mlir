// RUN: jit-opt %s --jit-functionalize | FileCheck %s

// What a view of a branch takes is known before the branch, where the write behind it finds the view; a call that takes the other way may not
// have the place that it names.
// CHECK-LABEL: func.func @forward(
// CHECK-NOT: aten.select.int
// CHECK: scf.if
// CHECK: aten.select.int
// CHECK: aten.select.int
// CHECK: aten.expand_as
// CHECK: } else {
// CHECK-NOT: aten.select.int
// CHECK: return
func.func @forward(%x: !jit.tensor<[?,?],f32>, %z: !jit.tensor<[?,?,?],f32>, %c: i1) -> !jit.tensor<[?,?],f32> {
  %1 = arith.constant 1 : i64
  %3 = arith.constant 3 : i64
  %r = scf.if %c -> (!jit.tensor<[?,?],f32>) {
    %s = aten.select.int %z, %1, %3 : (!jit.tensor<[?,?,?],f32>, i64, i64) -> !jit.tensor<[?,?],f32>
    %o = aten.select.int %z, %1, %1 : (!jit.tensor<[?,?,?],f32>, i64, i64) -> !jit.tensor<[?,?],f32>
    %e = aten.expand_as %s, %o : (!jit.tensor<[?,?],f32>, !jit.tensor<[?,?],f32>) -> !jit.tensor<[?,?],f32>
    scf.yield %e : !jit.tensor<[?,?],f32>
  } else {
    scf.yield %x : !jit.tensor<[?,?],f32>
  }
  %sum = aten.add.Scalar %z, %1, %1 : (!jit.tensor<[?,?,?],f32>, i64, i64) -> !jit.tensor<[?,?,?],f32>
  %w = jit.overwrite %z, %sum : (!jit.tensor<[?,?,?],f32>, !jit.tensor<[?,?,?],f32>) -> !jit.tensor<[?,?,?],f32>
  return %r : !jit.tensor<[?,?],f32>
}

// What the program does itself before the branch stays: it is done by every call.
// CHECK-LABEL: func.func @own(
// CHECK: aten.select.int
// CHECK: scf.if
func.func @own(%x: !jit.tensor<[?,?],f32>, %z: !jit.tensor<[?,?,?],f32>, %c: i1) -> !jit.tensor<[?,?],f32> {
  %1 = arith.constant 1 : i64
  %3 = arith.constant 3 : i64
  %s = aten.select.int %z, %1, %3 : (!jit.tensor<[?,?,?],f32>, i64, i64) -> !jit.tensor<[?,?],f32>
  %r = scf.if %c -> (!jit.tensor<[?,?],f32>) {
    %e = aten.expand_as %s, %s : (!jit.tensor<[?,?],f32>, !jit.tensor<[?,?],f32>) -> !jit.tensor<[?,?],f32>
    scf.yield %e : !jit.tensor<[?,?],f32>
  } else {
    scf.yield %x : !jit.tensor<[?,?],f32>
  }
  %sum = aten.add.Scalar %z, %1, %1 : (!jit.tensor<[?,?,?],f32>, i64, i64) -> !jit.tensor<[?,?,?],f32>
  %w = jit.overwrite %z, %sum : (!jit.tensor<[?,?,?],f32>, !jit.tensor<[?,?,?],f32>) -> !jit.tensor<[?,?,?],f32>
  return %r : !jit.tensor<[?,?],f32>
}
