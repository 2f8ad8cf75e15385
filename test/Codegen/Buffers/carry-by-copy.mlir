// RUN: jit-opt %s --jit-carry-by-copy=most=1 | FileCheck %s
// RUN: jit-opt %s --jit-carry-by-copy | FileCheck %s --check-prefix=FEW

// Each way of a branch or a selection copies what it gives; a loop copies what it begins with, and what it hands on before it writes a variable.
// CHECK-LABEL: func.func @choices(
// CHECK-SAME:      %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK:         %[[INIT:.*]] = linalg.copy ins(%[[X]]
// CHECK:         scf.for {{.*}} iter_args(%[[A:.*]] = %[[INIT]])
// CHECK:           %[[P:.*]] = scf.if
// CHECK:             %[[C:.*]] = linalg.copy ins(%[[X]]
// CHECK:             scf.yield %[[C]]
// CHECK:           } else {
// CHECK:             linalg.copy ins(%[[A]]
// CHECK:           %[[Q:.*]] = scf.if
// CHECK:             linalg.copy ins(%[[P]]
// CHECK:           } else {
// CHECK:             linalg.copy ins(%[[A]]
// CHECK:           %[[NEXT:.*]] = linalg.copy ins(%[[Q]]
// CHECK:           %[[M:.*]] = bufferization.materialize_in_destination %[[NEXT]] in %[[A]]
// CHECK:           scf.yield %[[M]]

// Few choices are left to the analysis.
// FEW-NOT: linalg.copy
func.func @choices(%x: tensor<4xf32>, %n: index, %c: i1) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<4xf32>) {
    %p = scf.if %c -> (tensor<4xf32>) {
      scf.yield %x : tensor<4xf32>
    } else {
      scf.yield %a : tensor<4xf32>
    }
    %q = arith.select %c, %p, %a : tensor<4xf32>
    scf.yield %q : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
