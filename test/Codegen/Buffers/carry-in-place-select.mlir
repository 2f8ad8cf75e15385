// RUN: jit-opt %s --jit-carry-in-place --canonicalize | FileCheck %s

// What may be the variable and may be another buffer: the latter is copied where it is known which, for nothing else keeps the two apart.
// CHECK-LABEL: func.func @chosen(
// CHECK-SAME:      %[[X:.*]]: tensor<4xf32>
// CHECK:         scf.for {{.*}} iter_args(%[[A:.*]] = %[[X]])
// CHECK:           %[[C:.*]] = scf.if
// CHECK:             linalg.copy ins(%[[X]]
// CHECK:           } else {
// CHECK-NEXT:        scf.yield %[[A]]
// CHECK:           bufferization.materialize_in_destination %[[C]] in %[[A]]
func.func @chosen(%x: tensor<4xf32>, %n: index, %c: i1) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<4xf32>) {
    %s = arith.select %c, %x, %a : tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
