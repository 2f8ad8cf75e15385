// RUN: jit-opt %s --pass-pipeline='builtin.module(func.func(jit-peephole,jit-hoist-products{max-rows=8}))' | FileCheck %s

// A sequence is a loop from here on, and what its steps share of the input leaves it where that is little.
// CHECK-LABEL: func.func @small
// CHECK-NOT: aten.gru
// CHECK: aten.linear {{.*}} -> !jit.tensor<[10,12],f32>
// CHECK: scf.for
// CHECK-COUNT-1: aten.linear {{.*}} -> !jit.tensor<[2,12],f32>
// CHECK-NOT: aten.linear
// CHECK: return
func.func @small(%x: !jit.tensor<[5,2,3],f32>, %h: !jit.tensor<[1,2,4],f32>, %w: !jit.tensor<[12,3],f32>, %u: !jit.tensor<[12,4],f32>) -> !jit.tensor<[5,2,4],f32> {
  %layers = arith.constant 1 : i64
  %dropout = arith.constant 0.0 : f64
  %no = arith.constant false
  %params = jit.list %w, %u : (!jit.tensor<[12,3],f32>, !jit.tensor<[12,4],f32>) -> !jit.list<!jit.tensor>
  %r:2 = aten.gru.input %x, %h, %params, %no, %layers, %dropout, %no, %no, %no : (!jit.tensor<[5,2,3],f32>, !jit.tensor<[1,2,4],f32>, !jit.list<!jit.tensor>, i1, i64, f64, i1, i1, i1) -> (!jit.tensor<[5,2,4],f32>, !jit.tensor<[1,2,4],f32>)
  return %r#0 : !jit.tensor<[5,2,4],f32>
}

// CHECK-LABEL: func.func @large
// CHECK-NOT: aten.linear
// CHECK: scf.for
// CHECK-COUNT-2: aten.linear {{.*}} -> !jit.tensor<[9,12],f32>
func.func @large(%x: !jit.tensor<[5,9,3],f32>, %h: !jit.tensor<[1,9,4],f32>, %w: !jit.tensor<[12,3],f32>, %u: !jit.tensor<[12,4],f32>) -> !jit.tensor<[5,9,4],f32> {
  %layers = arith.constant 1 : i64
  %dropout = arith.constant 0.0 : f64
  %no = arith.constant false
  %params = jit.list %w, %u : (!jit.tensor<[12,3],f32>, !jit.tensor<[12,4],f32>) -> !jit.list<!jit.tensor>
  %r:2 = aten.gru.input %x, %h, %params, %no, %layers, %dropout, %no, %no, %no : (!jit.tensor<[5,9,3],f32>, !jit.tensor<[1,9,4],f32>, !jit.list<!jit.tensor>, i1, i64, f64, i1, i1, i1) -> (!jit.tensor<[5,9,4],f32>, !jit.tensor<[1,9,4],f32>)
  return %r#0 : !jit.tensor<[5,9,4],f32>
}
