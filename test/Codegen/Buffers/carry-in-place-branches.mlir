// RUN: jit-opt %s --jit-carry-in-place --canonicalize | FileCheck %s

// A branch that may give the variable, and in its other way a choice of the variable and another tensor: the others are copied where it is known which.
// CHECK-LABEL: func.func @chosen_in_a_branch(
// CHECK-SAME:      %[[X:[a-z0-9]+]]: tensor<4xf32>, %[[Y:[a-z0-9]+]]: tensor<4xf32>
// CHECK:         scf.for {{.*}} iter_args(%[[A:.*]] = %[[X]])
// CHECK:           %[[R:.*]] = scf.if
// CHECK:             linalg.copy ins(%[[X]]
// CHECK:           } else {
// CHECK:             scf.if
// CHECK:               linalg.copy ins(%[[Y]]
// CHECK:             } else {
// CHECK-NEXT:          scf.yield %[[A]]
// CHECK:           bufferization.materialize_in_destination %[[R]] in %[[A]]
func.func @chosen_in_a_branch(%x: tensor<4xf32>, %y: tensor<4xf32>, %n: index, %c: i1, %d: i1) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<4xf32>) {
    %b = scf.if %c -> (tensor<4xf32>) {
      scf.yield %x : tensor<4xf32>
    } else {
      %s = arith.select %d, %y, %a : tensor<4xf32>
      scf.yield %s : tensor<4xf32>
    }
    scf.yield %b : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// What a loop inside made of another variable is in the buffer of that: chosen for this one it is copied first.
// CHECK-LABEL: func.func @made_inside_of_another(
// CHECK:         scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
// CHECK:           %[[IN:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}} = %[[A]], %{{.*}} = %[[B]])
// CHECK:           %[[C:.*]] = scf.if
// CHECK:             linalg.copy ins(%[[IN]]#1
// CHECK:           } else {
// CHECK:             linalg.copy ins(%[[IN]]#0
// CHECK:           %[[M:.*]] = bufferization.materialize_in_destination %[[C]] in %[[A]]
// CHECK:           scf.yield %[[M]], %[[IN]]#1
func.func @made_inside_of_another(%x: tensor<4xf32>, %y: tensor<4xf32>, %n: index, %c: i1) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<4xf32>, tensor<4xf32>) {
    %in:2 = scf.for %k = %c0 to %n step %c1 iter_args(%e = %a, %f = %b) -> (tensor<4xf32>, tensor<4xf32>) {
      %g = linalg.exp ins(%e : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      %h = linalg.exp ins(%f : tensor<4xf32>) outs(%f : tensor<4xf32>) -> tensor<4xf32>
      scf.yield %g, %h : tensor<4xf32>, tensor<4xf32>
    }
    %s = arith.select %c, %in#1, %in#0 : tensor<4xf32>
    scf.yield %s, %in#1 : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}
