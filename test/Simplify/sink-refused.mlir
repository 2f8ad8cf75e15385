// RUN: jit-opt %s --split-input-file --jit-sink-sums | FileCheck %s
// RUN: jit-opt %s --split-input-file --jit-sink-sums=max-bytes=320 | FileCheck %s --check-prefix=WITHIN
// RUN: jit-opt %s --split-input-file --jit-sink-sums=max-bytes=319 | FileCheck %s --check-prefix=BEYOND

// The loop reads the sum.

// CHECK-LABEL: func.func @read_inside
//       CHECK: scf.for
//       CHECK: aten.mm
//       CHECK: aten.add.Tensor
func.func @read_inside(%h: !jit.tensor<[10,2,5],f32>, %g: !jit.tensor<[10,2,4],f32>, %start: !jit.tensor<[5,4],f32>)
    -> (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %r:2 = scf.for %i = %0 to %10 step %1 iter_args(%sum = %start, %last = %start) -> (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>) : i64 {
    %a = aten.select.int %h, %0, %i : (!jit.tensor<[10,2,5],f32>, i64, i64) -> !jit.tensor<[2,5],f32>
    %b = aten.select.int %g, %0, %i : (!jit.tensor<[10,2,4],f32>, i64, i64) -> !jit.tensor<[2,4],f32>
    %t = aten.t %a : (!jit.tensor<[2,5],f32>) -> !jit.tensor<[5,2],f32>
    %p = aten.mm %t, %b : (!jit.tensor<[5,2],f32>, !jit.tensor<[2,4],f32>) -> !jit.tensor<[5,4],f32>
    %s = aten.add.Tensor %sum, %p, %1 : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
    %tanh = aten.tanh %sum : (!jit.tensor<[5,4],f32>) -> !jit.tensor<[5,4],f32>
    scf.yield %s, %tanh : !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>
  }
  return %r#0, %r#1 : !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>
}

// -----

// A stack of 40 rows a trip writes more than the addition of 20 elements.

// CHECK-LABEL: func.func @larger_stack
//       CHECK: scf.for
//       CHECK: aten.mm
//       CHECK: aten.add.Tensor
//       CHECK: scf.yield
//   CHECK-NOT: aten.mm
func.func @larger_stack(%h: !jit.tensor<[10,40,5],f32>, %g: !jit.tensor<[40,4],f32>, %start: !jit.tensor<[5,4],f32>)
    -> (!jit.tensor<[5,4],f32>, !jit.tensor<[40,4],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %r:2 = scf.for %i = %0 to %10 step %1 iter_args(%sum = %start, %c = %g) -> (!jit.tensor<[5,4],f32>, !jit.tensor<[40,4],f32>) : i64 {
    %step = aten.select.int %h, %0, %i : (!jit.tensor<[10,40,5],f32>, i64, i64) -> !jit.tensor<[40,5],f32>
    %b = aten.tanh %c : (!jit.tensor<[40,4],f32>) -> !jit.tensor<[40,4],f32>
    %t = aten.t %step : (!jit.tensor<[40,5],f32>) -> !jit.tensor<[5,40],f32>
    %p = aten.mm %t, %b : (!jit.tensor<[5,40],f32>, !jit.tensor<[40,4],f32>) -> !jit.tensor<[5,4],f32>
    %s = aten.add.Tensor %sum, %p, %1 : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
    scf.yield %s, %b : !jit.tensor<[5,4],f32>, !jit.tensor<[40,4],f32>
  }
  return %r#0, %r#1 : !jit.tensor<[5,4],f32>, !jit.tensor<[40,4],f32>
}

// -----

// A stack of 10 trips of 8 floats, 320 bytes, is within the limit, or not.

//  CHECK-LABEL: func.func @limit
// WITHIN-LABEL: func.func @limit
//       WITHIN: jit.poison
// BEYOND-LABEL: func.func @limit
//   BEYOND-NOT: jit.poison
//       BEYOND: return
func.func @limit(%h: !jit.tensor<[10,2,5],f32>, %g: !jit.tensor<[2,4],f32>, %start: !jit.tensor<[5,4],f32>) -> (!jit.tensor<[5,4],f32>, !jit.tensor<[2,4],f32>) {
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
