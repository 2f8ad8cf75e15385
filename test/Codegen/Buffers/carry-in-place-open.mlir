// RUN: jit-opt %s --jit-carry-in-place --split-input-file --verify-diagnostics | FileCheck %s

// Copies of carried tensors have their sizes, which may be open.
// CHECK-LABEL: func.func @loop(
// CHECK:         scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
// CHECK:           %[[N:.*]] = tensor.dim %[[B]]
// CHECK:           %[[E:.*]] = bufferization.alloc_tensor(%[[N]]) : tensor<?xf32>
// CHECK:           linalg.copy ins(%[[B]] : tensor<?xf32>) outs(%[[E]] : tensor<?xf32>)
func.func @loop(%x: tensor<?xf32>, %y: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<?xf32>, tensor<?xf32>) {
    scf.yield %b, %a : tensor<?xf32>, tensor<?xf32>
  }
  return %r#0 : tensor<?xf32>
}

// -----

// How large a buffer has to be is not known before the loop.
func.func @forwards(%x: tensor<?xf32>, %n: i64, %c: i1) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %e = bufferization.alloc_tensor(%d) : tensor<?xf32>
  // expected-error @below {{expected a loop whose condition is asked last to carry each tensor of an open size, got 'tensor<?xf32>', which it computes}}
  %r = scf.while (%k = %n, %a = %x) : (i64, tensor<?xf32>) -> tensor<?xf32> {
    %s = linalg.exp ins(%a : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.condition(%c) %s : tensor<?xf32>
  } do {
  ^bb0(%s: tensor<?xf32>):
    scf.yield %n, %s : i64, tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
