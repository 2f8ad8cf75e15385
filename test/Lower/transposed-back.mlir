// RUN: jit-opt %s --jit-stages="from=lower to=lower" | FileCheck %s

// Two transpositions that are none together give what the first takes, under the type of the result: its sizes are known, those of
// what stands beside it are not.
// CHECK-LABEL: func.func @forward
// CHECK-SAME: (%[[X:.*]]: tensor<6x3xf32>, %[[Y:.*]]: tensor<?x?xf32>, %[[FLAG:.*]]: i1)
// CHECK-NOT: linalg.transpose
// CHECK: %[[BACK:.*]] = tensor.cast %[[X]] : tensor<6x3xf32> to tensor<?x?xf32>
// CHECK: %[[R:.*]] = arith.select %[[FLAG]], %[[Y]], %[[BACK]] : tensor<?x?xf32>
// CHECK: return %[[R]]
func.func @forward(%x: !jit.tensor<[6,3],f32>, %y: !jit.tensor<[?,?],f32>, %flag: i1) -> !jit.tensor<[?,?],f32> attributes {jit.symbolic} {
  %t = aten.t %x : (!jit.tensor<[6,3],f32>) -> !jit.tensor<[3,6],f32>
  %open = jit.unchecked_cast %t : !jit.tensor<[3,6],f32> to !jit.tensor<[?,?],f32>
  %back = aten.t %open : (!jit.tensor<[?,?],f32>) -> !jit.tensor<[?,?],f32>
  %r = arith.select %flag, %y, %back : !jit.tensor<[?,?],f32>
  return %r : !jit.tensor<[?,?],f32>
}
