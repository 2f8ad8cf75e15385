// RUN: jit-opt %s --split-input-file --jit-sink-sums | FileCheck %s

// Sums of what does not change, sums that convert, and a tensor that is added as it is.

// CHECK-LABEL: func.func @kept
//       CHECK: scf.for
// CHECK-COUNT-2: aten.sum.dim_IntList
//       CHECK: scf.yield
//   CHECK-NOT: aten.sum.dim_IntList
//       CHECK: return
func.func @kept(%x: !jit.tensor<[10,4,5],f32>, %h: !jit.tensor<[4,5],f32>, %start: !jit.tensor<[5],f32>, %wide: !jit.tensor<[5],f64>)
    -> (!jit.tensor<[5],f32>, !jit.tensor<[5],f64>, !jit.tensor<[4,5],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %double = arith.constant 7 : i64
  %false = arith.constant false
  %none = jit.constant !jit.none = unit
  %dims = jit.list %0 : (i64) -> !jit.list<i64>
  %r:3 = scf.for %i = %0 to %10 step %1 iter_args(%a = %start, %b = %wide, %c = %h) -> (!jit.tensor<[5],f32>, !jit.tensor<[5],f64>, !jit.tensor<[4,5],f32>) : i64 {
    %step = aten.select.int %x, %0, %i : (!jit.tensor<[10,4,5],f32>, i64, i64) -> !jit.tensor<[4,5],f32>
    %s = aten.sum.dim_IntList %h, %dims, %false, %none : (!jit.tensor<[4,5],f32>, !jit.list<i64>, i1, !jit.none) -> !jit.tensor<[5],f32>
    %a1 = aten.add.Tensor %a, %s, %1 : (!jit.tensor<[5],f32>, !jit.tensor<[5],f32>, i64) -> !jit.tensor<[5],f32>
    %t = aten.sum.dim_IntList %step, %dims, %false, %double : (!jit.tensor<[4,5],f32>, !jit.list<i64>, i1, i64) -> !jit.tensor<[5],f64>
    %b1 = aten.add.Tensor %b, %t, %1 : (!jit.tensor<[5],f64>, !jit.tensor<[5],f64>, i64) -> !jit.tensor<[5],f64>
    %c1 = aten.add.Tensor %c, %step, %1 : (!jit.tensor<[4,5],f32>, !jit.tensor<[4,5],f32>, i64) -> !jit.tensor<[4,5],f32>
    scf.yield %a1, %b1, %c1 : !jit.tensor<[5],f32>, !jit.tensor<[5],f64>, !jit.tensor<[4,5],f32>
  }
  return %r#0, %r#1, %r#2 : !jit.tensor<[5],f32>, !jit.tensor<[5],f64>, !jit.tensor<[4,5],f32>
}

// -----

// A tensor of which two sums are taken is added up once. One dimension of the sum may be as long as the tensor's.

// CHECK-LABEL: func.func @two_sums
//       CHECK: scf.for {{.*}} -> (!jit.tensor<[5],f32>, !jit.tensor<[4,1],f32>, !jit.tensor<[4,5],f32>, !jit.tensor<[4,5],f32>)
//       CHECK: aten.tanh
//       CHECK: scf.yield
//       CHECK: aten.sum.dim_IntList %{{.*}} -> !jit.tensor<[5],f32>
//       CHECK: aten.sum.dim_IntList %{{.*}} -> !jit.tensor<[4],f32>
//       CHECK: aten.view %{{.*}} -> !jit.tensor<[4,1],f32>
func.func @two_sums(%h: !jit.tensor<[4,5],f32>, %start: !jit.tensor<[5],f32>, %column: !jit.tensor<[4,1],f32>)
    -> (!jit.tensor<[5],f32>, !jit.tensor<[4,1],f32>, !jit.tensor<[4,5],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %4 = arith.constant 4 : i64
  %5 = arith.constant 5 : i64
  %10 = arith.constant 10 : i64
  %row = jit.list %5 : (i64) -> !jit.list<i64>
  %rows = jit.list %4, %1 : (i64, i64) -> !jit.list<i64>
  %r:3 = scf.for %i = %0 to %10 step %1 iter_args(%a = %start, %b = %column, %c = %h) -> (!jit.tensor<[5],f32>, !jit.tensor<[4,1],f32>, !jit.tensor<[4,5],f32>) : i64 {
    %next = aten.tanh %c : (!jit.tensor<[4,5],f32>) -> !jit.tensor<[4,5],f32>
    %s = aten._grad_sum_to_size %next, %row : (!jit.tensor<[4,5],f32>, !jit.list<i64>) -> !jit.tensor<[5],f32>
    %a1 = aten.add.Tensor %a, %s, %1 : (!jit.tensor<[5],f32>, !jit.tensor<[5],f32>, i64) -> !jit.tensor<[5],f32>
    %t = aten._grad_sum_to_size %next, %rows : (!jit.tensor<[4,5],f32>, !jit.list<i64>) -> !jit.tensor<[4,1],f32>
    %b1 = aten.add.Tensor %b, %t, %1 : (!jit.tensor<[4,1],f32>, !jit.tensor<[4,1],f32>, i64) -> !jit.tensor<[4,1],f32>
    scf.yield %a1, %b1, %next : !jit.tensor<[5],f32>, !jit.tensor<[4,1],f32>, !jit.tensor<[4,5],f32>
  }
  return %r#0, %r#1, %r#2 : !jit.tensor<[5],f32>, !jit.tensor<[4,1],f32>, !jit.tensor<[4,5],f32>
}
