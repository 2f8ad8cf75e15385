// RUN: jit-opt %s --jit-loop-chains="most=2" | FileCheck %s

// What comes through a third loop in a row is copied, and begins a chain anew.
// CHECK-LABEL: func.func @loops(
// CHECK: %[[ONE:.*]] = scf.for
// CHECK: %[[TWO:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[ONE]])
// CHECK: %[[THREE:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[TWO]])
// CHECK: %[[DIM:.*]] = tensor.dim %[[THREE]]
// CHECK: %[[OWN:.*]] = bufferization.alloc_tensor(%[[DIM]])
// CHECK: %[[COPY:.*]] = linalg.copy ins(%[[THREE]] : tensor<?xf32>) outs(%[[OWN]] : tensor<?xf32>)
// CHECK: %[[FOUR:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[COPY]])
// CHECK-NOT: linalg.copy
// CHECK: return %[[FOUR]]
func.func @loops(%x: tensor<?xf32>, %v: f32, %n: index) -> tensor<?xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a = scf.for %i = %zero to %n step %one iter_args(%t = %x) -> tensor<?xf32> {
    %w = tensor.insert %v into %t[%i] : tensor<?xf32>
    scf.yield %w : tensor<?xf32>
  }
  %b = scf.for %i = %zero to %n step %one iter_args(%t = %a) -> tensor<?xf32> {
    %w = tensor.insert %v into %t[%i] : tensor<?xf32>
    scf.yield %w : tensor<?xf32>
  }
  %c = scf.for %i = %zero to %n step %one iter_args(%t = %b) -> tensor<?xf32> {
    %w = tensor.insert %v into %t[%i] : tensor<?xf32>
    scf.yield %w : tensor<?xf32>
  }
  %d = scf.for %i = %zero to %n step %one iter_args(%t = %c) -> tensor<?xf32> {
    %w = tensor.insert %v into %t[%i] : tensor<?xf32>
    scf.yield %w : tensor<?xf32>
  }
  return %d : tensor<?xf32>
}

// Branches and selections count, and so does what they are given a part or another shape of.
// CHECK-LABEL: func.func @choices(
// CHECK: arith.select
// CHECK: scf.if
// CHECK: %[[C:.*]] = arith.select
// CHECK: linalg.copy ins(%[[C]] : tensor<4xf32>)
func.func @choices(%x: tensor<2x2xf32>, %y: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  %a = arith.select %c, %x, %x : tensor<2x2xf32>
  %flat = tensor.collapse_shape %a [[0, 1]] : tensor<2x2xf32> into tensor<4xf32>
  %b = scf.if %c -> tensor<4xf32> {
    scf.yield %flat : tensor<4xf32>
  } else {
    scf.yield %y : tensor<4xf32>
  }
  %d = arith.select %c, %y, %b : tensor<4xf32>
  return %d : tensor<4xf32>
}

// A few in a row stay as they are, and what is computed anew has come through none.
// CHECK-LABEL: func.func @few(
// CHECK-NOT: linalg.copy
// CHECK: return
func.func @few(%x: tensor<4xf32>, %v: f32, %c: i1, %z: index) -> tensor<4xf32> {
  %a = arith.select %c, %x, %x : tensor<4xf32>
  %b = arith.select %c, %a, %x : tensor<4xf32>
  %empty = tensor.empty() : tensor<4xf32>
  %new = linalg.fill ins(%v : f32) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  %d = arith.select %c, %new, %x : tensor<4xf32>
  %e = tensor.extract %b[%z] : tensor<4xf32>
  %f = tensor.insert %e into %d[%z] : tensor<4xf32>
  return %f : tensor<4xf32>
}
