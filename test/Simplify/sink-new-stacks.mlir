// RUN: jit-opt %s --split-input-file --jit-sink-sums | FileCheck %s

// A factor that no trip reads or writes as a slice is stacked: from the first trip on where the other one is, or is stacked too, whatever
// the counter begins with, and from the last one on where the other one is.

// CHECK-LABEL: func.func @forward
//       CHECK: %[[STACK:.*]] = jit.poison : !jit.tensor<[10,2,4],f32>
//       CHECK: scf.for %[[I:[a-z0-9]+]] = {{.*}} iter_args(%{{.*}}, %{{.*}}, %[[C:[a-z0-9]+]] = %[[STACK]])
//       CHECK: %[[B:.*]] = aten.tanh
//   CHECK-NOT: arith.subi
//   CHECK-NOT: arith.divsi
//       CHECK: aten.select_scatter %[[C]], %[[B]], %{{.*}}, %[[I]]
//       CHECK: scf.yield
//   CHECK-NOT: aten.slice.Tensor
//   CHECK-NOT: aten.flip
//       CHECK: aten.mm
//       CHECK: return
func.func @forward(%h: !jit.tensor<[10,2,5],f32>, %g: !jit.tensor<[2,4],f32>, %start: !jit.tensor<[5,4],f32>) -> (!jit.tensor<[5,4],f32>, !jit.tensor<[2,4],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %r:2 = scf.for %i = %0 to %10 step %1 iter_args(%sum = %start, %c = %g) -> (!jit.tensor<[5,4],f32>, !jit.tensor<[2,4],f32>) : i64 {
    %a = aten.select.int %h, %0, %i : (!jit.tensor<[10,2,5],f32>, i64, i64) -> !jit.tensor<[2,5],f32>
    %b = aten.tanh %c : (!jit.tensor<[2,4],f32>) -> !jit.tensor<[2,4],f32>
    %t = aten.t %a : (!jit.tensor<[2,5],f32>) -> !jit.tensor<[5,2],f32>
    %p = aten.mm %t, %b : (!jit.tensor<[5,2],f32>, !jit.tensor<[2,4],f32>) -> !jit.tensor<[5,4],f32>
    %s = aten.add.Tensor %sum, %p, %1 : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
    scf.yield %s, %b : !jit.tensor<[5,4],f32>, !jit.tensor<[2,4],f32>
  }
  return %r#0, %r#1 : !jit.tensor<[5,4],f32>, !jit.tensor<[2,4],f32>
}

// -----

// CHECK-LABEL: func.func @later
//   CHECK-DAG: %[[THREE:.*]] = arith.constant 3 : i64
//       CHECK: jit.poison : !jit.tensor<[4,2,4],f32>
//       CHECK: scf.for %[[I:[a-z0-9]+]] =
//       CHECK: %[[FROM:.*]] = arith.subi %[[I]], %{{.*}}
//       CHECK: %[[TRIP:.*]] = arith.divsi %[[FROM]], %{{.*}}
//       CHECK: aten.select_scatter %{{.*}}, %{{.*}}, %{{.*}}, %[[TRIP]]
//       CHECK: aten.slice.Tensor
//   CHECK-NOT: aten.slice.Tensor
//       CHECK: aten.mm
func.func @later(%h: !jit.tensor<[10,2,5],f32>, %g: !jit.tensor<[2,4],f32>, %start: !jit.tensor<[5,4],f32>) -> (!jit.tensor<[5,4],f32>, !jit.tensor<[2,4],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %2 = arith.constant 2 : i64
  %3 = arith.constant 3 : i64
  %r:2 = scf.for %i = %3 to %10 step %2 iter_args(%sum = %start, %c = %g) -> (!jit.tensor<[5,4],f32>, !jit.tensor<[2,4],f32>) : i64 {
    %a = aten.select.int %h, %0, %i : (!jit.tensor<[10,2,5],f32>, i64, i64) -> !jit.tensor<[2,5],f32>
    %b = aten.tanh %c : (!jit.tensor<[2,4],f32>) -> !jit.tensor<[2,4],f32>
    %t = aten.t %a : (!jit.tensor<[2,5],f32>) -> !jit.tensor<[5,2],f32>
    %p = aten.mm %t, %b : (!jit.tensor<[5,2],f32>, !jit.tensor<[2,4],f32>) -> !jit.tensor<[5,4],f32>
    %s = aten.add.Tensor %sum, %p, %1 : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
    scf.yield %s, %b : !jit.tensor<[5,4],f32>, !jit.tensor<[2,4],f32>
  }
  return %r#0, %r#1 : !jit.tensor<[5,4],f32>, !jit.tensor<[2,4],f32>
}

// -----

// CHECK-LABEL: func.func @backward
//       CHECK: jit.poison : !jit.tensor<[10,2,5],f32>
//       CHECK: scf.for %[[I:[a-z0-9]+]] =
//       CHECK: %[[PLACE:.*]] = arith.subi %{{.*}}, %[[I]]
//       CHECK: %[[LAST:.*]] = arith.subi %{{.*}}, %[[I]]
//       CHECK: aten.select_scatter %{{.*}}, %{{.*}}, %{{.*}}, %[[LAST]]
//       CHECK: scf.yield
//   CHECK-NOT: aten.flip
//       CHECK: aten.mm
func.func @backward(%g: !jit.tensor<[10,2,4],f32>, %h: !jit.tensor<[2,5],f32>, %start: !jit.tensor<[5,4],f32>) -> (!jit.tensor<[5,4],f32>, !jit.tensor<[2,5],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %9 = arith.constant 9 : i64
  %r:2 = scf.for %i = %0 to %10 step %1 iter_args(%sum = %start, %c = %h) -> (!jit.tensor<[5,4],f32>, !jit.tensor<[2,5],f32>) : i64 {
    %at = arith.subi %9, %i : i64
    %b = aten.select.int %g, %0, %at : (!jit.tensor<[10,2,4],f32>, i64, i64) -> !jit.tensor<[2,4],f32>
    %a = aten.tanh %c : (!jit.tensor<[2,5],f32>) -> !jit.tensor<[2,5],f32>
    %t = aten.t %a : (!jit.tensor<[2,5],f32>) -> !jit.tensor<[5,2],f32>
    %p = aten.mm %t, %b : (!jit.tensor<[5,2],f32>, !jit.tensor<[2,4],f32>) -> !jit.tensor<[5,4],f32>
    %s = aten.add.Tensor %sum, %p, %1 : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
    scf.yield %s, %a : !jit.tensor<[5,4],f32>, !jit.tensor<[2,5],f32>
  }
  return %r#0, %r#1 : !jit.tensor<[5,4],f32>, !jit.tensor<[2,5],f32>
}
