// RUN: jit-opt %s --jit-functionalize-tensors | FileCheck %s

// A question that has an answer once the trips of a loop are written out.
!m = !jit.tensor<[2,2],f32>
!r = !jit.tensor<[2],f32>
// CHECK-LABEL: func.func @loop
// CHECK: %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK-NOT: aten.storage_offset
// CHECK: return %{{.*}}, %{{.*}} : !jit.tensor<[2],f32>, i64
func.func @loop(%x: !m) -> (!r, i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %y = aten.relu %x : (!m) -> !m
  %s = aten.select.int %y, %zero, %one : (!m, i64, i64) -> !r
  %t = scf.for %i = %zero to %two step %one iter_args(%v = %s) -> (!r) : i64 {
    %n = aten.relu %v : (!r) -> !r
    scf.yield %n : !r
  }
  %place = aten.storage_offset %t : (!r) -> i64
  return %t, %place : !r, i64
}
