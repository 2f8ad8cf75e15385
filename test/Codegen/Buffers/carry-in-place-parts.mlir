// RUN: jit-opt %s --jit-carry-in-place --canonicalize | FileCheck %s

// A branch that is not handed on gives the variable, or a part of what another variable has become: the part is copied, or both would count as one
// buffer and each write to one as a write to the other.
// CHECK-LABEL: func.func @variable_or_part(
// CHECK:         scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
// CHECK:           %[[W:.*]] = tensor.insert_slice %{{.*}} into %[[B]]
// CHECK:           %[[R:.*]] = scf.if
// CHECK:             %[[P:.*]] = tensor.extract_slice %[[W]]
// CHECK:             %[[COPY:.*]] = linalg.copy ins(%[[P]]
// CHECK:             scf.yield %[[COPY]]
// CHECK:           } else {
// CHECK-NEXT:        scf.yield %[[A]]
// CHECK:           linalg.exp ins(%[[R]]
func.func @variable_or_part(%x: tensor<4xf32>, %y: tensor<8xf32>, %n: index, %c: i1) -> (tensor<4xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<4xf32>, tensor<8xf32>) {
    %w = tensor.insert_slice %a into %b[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
    %s = scf.if %c -> (tensor<4xf32>) {
      %p = tensor.extract_slice %w[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
      scf.yield %p : tensor<4xf32>
    } else {
      scf.yield %a : tensor<4xf32>
    }
    %e = tensor.empty() : tensor<4xf32>
    %t = linalg.exp ins(%s : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %t, %w : tensor<4xf32>, tensor<8xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<8xf32>
}

// A part of what the branch itself makes is seen by nobody else.
// CHECK-LABEL: func.func @part_of_its_own(
// CHECK:         scf.for
// CHECK:           scf.if
// CHECK-NOT:         linalg.copy
// CHECK:           } else {
func.func @part_of_its_own(%x: tensor<4xf32>, %y: tensor<8xf32>, %n: index, %c: i1) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<4xf32>) {
    %s = scf.if %c -> (tensor<4xf32>) {
      %e = tensor.empty() : tensor<8xf32>
      %w = linalg.exp ins(%y : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
      %p = tensor.extract_slice %w[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
      scf.yield %p : tensor<4xf32>
    } else {
      scf.yield %a : tensor<4xf32>
    }
    %e = tensor.empty() : tensor<4xf32>
    %t = linalg.exp ins(%s : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %t : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
