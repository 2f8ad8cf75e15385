// RUN: jit-opt %s --jit-lower --canonicalize --split-input-file | FileCheck %s

// Each place goes to the next free row; a row is taken where the element is not zero. The function's sizes are open without
// being told so.
// CHECK-LABEL: func.func @places(
//  CHECK-SAME:   %[[X:.*]]: tensor<2x3xf32>) -> tensor<?x2xi64> attributes {jit.symbolic}
//       CHECK:   %[[E:.*]] = tensor.empty() : tensor<6x2xi64>
//       CHECK:   %[[R:.*]]:2 = scf.for
//       CHECK:     scf.for
//       CHECK:       arith.cmpf une
//       CHECK:       tensor.insert
//       CHECK:       tensor.insert
//       CHECK:       arith.addi
//       CHECK:   tensor.extract_slice %{{.*}}[0, 0] [%[[R]]#1, 2] [1, 1]
func.func @places(%x: !jit.tensor<[2,3],f32>) -> !jit.tensor<[?,2],i64> {
  %r = aten.nonzero %x : (!jit.tensor<[2,3],f32>) -> !jit.tensor<[?,2],i64>
  return %r : !jit.tensor<[?,2],i64>
}

// -----

// One element has no place to write: only the number of rows counts.
// CHECK-LABEL: func.func @ofOne(
//  CHECK-SAME:   %[[X:.*]]: tensor<f32>) -> tensor<?x0xi64>
//       CHECK:   %[[V:.*]] = tensor.extract %[[X]][]
//       CHECK:   %[[N:.*]] = arith.cmpf une, %[[V]]
//       CHECK:   %[[C:.*]] = arith.index_castui %[[N]]
//       CHECK:   tensor.empty(%[[C]]) : tensor<?x0xi64>
func.func @ofOne(%x: !jit.tensor<[],f32>) -> !jit.tensor<[?,0],i64> {
  %r = aten.nonzero %x : (!jit.tensor<[],f32>) -> !jit.tensor<[?,0],i64>
  return %r : !jit.tensor<[?,0],i64>
}

// -----

// What indices of open size pick has their size; values for them have it too, or the call ends.
// CHECK-LABEL: func.func @chosen(
//  CHECK-SAME:   %[[X:.*]]: tensor<4x8xf32>, %[[I:.*]]: tensor<?xi64>, %[[V:.*]]: tensor<?x8xf32>)
//       CHECK:   jit.guard %{{.*}}, "builtins.IndexError"
//       CHECK:   %[[N:.*]] = tensor.dim %[[I]]
//       CHECK:   tensor.empty(%[[N]]) : tensor<?x8xf32>
//       CHECK:   jit.guard %{{.*}}, "jit.UnequalSizes"
//       CHECK:   scf.for
func.func @chosen(%x: !jit.tensor<[4,8],f32>, %i: !jit.tensor<[?],i64>, %v: !jit.tensor<[?,8],f32>)
    -> (!jit.tensor<[?,8],f32>, !jit.tensor<[4,8],f32>) attributes {jit.symbolic} {
  %no = arith.constant false
  %list = jit.list %i : (!jit.tensor<[?],i64>) -> !jit.list<!jit.tensor>
  %r = aten.index.Tensor %x, %list : (!jit.tensor<[4,8],f32>, !jit.list<!jit.tensor>) -> !jit.tensor<[?,8],f32>
  %p = aten.index_put %x, %list, %v, %no : (!jit.tensor<[4,8],f32>, !jit.list<!jit.tensor>, !jit.tensor<[?,8],f32>, i1) -> !jit.tensor<[4,8],f32>
  return %r, %p : !jit.tensor<[?,8],f32>, !jit.tensor<[4,8],f32>
}

// -----

// CHECK-LABEL: func.func @of_nothing(
//       CHECK:   tensor.empty() : tensor<0x2xi64>
func.func @of_nothing(%x: !jit.tensor<[2,0],f32>) -> !jit.tensor<[0,2],i64> {
  %r = aten.nonzero %x : (!jit.tensor<[2,0],f32>) -> !jit.tensor<[0,2],i64>
  return %r : !jit.tensor<[0,2],i64>
}
