// RUN: jit-opt %s --jit-carry-by-copy=most=0 --split-input-file | FileCheck %s
// RUN: jit-opt %s --jit-carry-by-copy=most=0 --one-shot-bufferize --split-input-file | FileCheck %s --check-prefix=BUFFERS

// Sums to places: loops that only write elements of a tensor hand its one buffer on, and copy what they begin with, once.
// CHECK-LABEL: func.func @sums(
// CHECK:         linalg.copy ins(%arg0
// CHECK-NEXT:    scf.for
// CHECK-NOT:       linalg.copy
// CHECK:           scf.for
// CHECK-NOT:         bufferization.materialize_in_destination
// CHECK:           scf.yield
// CHECK:         return

// BUFFERS-LABEL: func.func @sums(
// BUFFERS:         memref.alloc
// BUFFERS:         scf.for
// BUFFERS-NOT:       memref.alloc
// BUFFERS-NOT:       linalg.copy
// BUFFERS:           memref.store
// BUFFERS-NOT:       linalg.copy
// BUFFERS:         bufferization.to_tensor
func.func @sums(%x: tensor<4x4xf32>, %v: tensor<?x4xf32>, %p: tensor<?xindex>, %n: index, %c: i1) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<4x4xf32>) {
    %row = scf.for %j = %c0 to %c4 step %c1 iter_args(%b = %a) -> (tensor<4x4xf32>) {
      %k = tensor.extract %p[%i] : tensor<?xindex>
      %e = tensor.extract %v[%i, %j] : tensor<?x4xf32>
      %old = tensor.extract %b[%k, %j] : tensor<4x4xf32>
      %sum = arith.addf %old, %e : f32
      %next = tensor.insert %sum into %b[%k, %j] : tensor<4x4xf32>
      scf.yield %next : tensor<4x4xf32>
    }
    scf.yield %row : tensor<4x4xf32>
  }
  %either = arith.select %c, %r, %x : tensor<4x4xf32>
  return %r, %either : tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// What a trip began with is read behind the write: a buffer of its own.
// CHECK-LABEL: func.func @read_behind(
// CHECK:         scf.for
// CHECK:           linalg.copy
// CHECK:           bufferization.materialize_in_destination
func.func @read_behind(%x: tensor<4xf32>, %n: index, %c: i1) -> (tensor<4xf32>, f32, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %s = %zero) -> (tensor<4xf32>, f32) {
    %next = tensor.insert %s into %a[%i] : tensor<4xf32>
    %old = tensor.extract %a[%c0] : tensor<4xf32>
    scf.yield %next, %old : tensor<4xf32>, f32
  }
  %either = arith.select %c, %r#0, %x : tensor<4xf32>
  return %r#0, %r#1, %either : tensor<4xf32>, f32, tensor<4xf32>
}

// -----

// Two variables that change places: neither is handed on as it is.
// CHECK-LABEL: func.func @exchanged(
// CHECK:         scf.for
// CHECK-COUNT-2:   linalg.copy
// CHECK-COUNT-2:   bufferization.materialize_in_destination
func.func @exchanged(%x: tensor<4xf32>, %y: tensor<4xf32>, %n: index, %c: i1) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<4xf32>, tensor<4xf32>) {
    %next = tensor.insert %one into %a[%i] : tensor<4xf32>
    scf.yield %b, %next : tensor<4xf32>, tensor<4xf32>
  }
  %either = arith.select %c, %r#0, %r#1 : tensor<4xf32>
  return %either : tensor<4xf32>
}
