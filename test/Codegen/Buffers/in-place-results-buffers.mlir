// RUN: jit-opt %s --jit-destination-style --one-shot-bufferize --jit-separate-results --canonicalize --cse | FileCheck %s

// One row is stored, and nothing of the cache is copied.
// CHECK-LABEL: func.func @row(
//  CHECK-SAME:   %[[X:.*]]: memref<4xf32>, %[[K:.*]]: memref<8x4xf32> {jit.written}, %{{.*}}: memref<8x4xf32> {jit.result = 0 : i64})
//       CHECK:   %[[ROW:.*]] = memref.subview %[[K]][5, 0] [1, 4] [1, 1]
//  CHECK-NEXT:   memref.copy %[[X]], %[[ROW]]
//  CHECK-NEXT:   return
func.func @row(%x: tensor<4xf32>, %k: tensor<8x4xf32>) -> (tensor<8x4xf32> {jit.in_place = 1 : i64}) {
  %new = tensor.insert_slice %x into %k[5, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<8x4xf32>
  return %new : tensor<8x4xf32>
}

// Of open size: there is no result to ask the caller for.
// CHECK-LABEL: func.func @open(
//   CHECK-NOT:   jit.open_result
//       CHECK:   memref.store
//  CHECK-NEXT:   return
func.func @open(%x: f32, %k: tensor<?xf32>) -> (tensor<?xf32> {jit.in_place = 1 : i64}) {
  %c2 = arith.constant 2 : index
  %new = tensor.insert %x into %k[%c2] : tensor<?xf32>
  return %new : tensor<?xf32>
}

// A pass in between may have made it a tensor of its own, and something may still read the argument: then it is copied, last.
// CHECK-LABEL: func.func @read_later(
//  CHECK-SAME:   %[[X:.*]]: f32, %[[K:.*]]: memref<8xf32> {jit.written}, %{{.*}}: memref<8xf32> {jit.result = 0 : i64}, %[[OLD:.*]]: memref<8xf32> {jit.result = 1 : i64})
//       CHECK:   memref.copy %[[K]], %[[A:.*]] :
//       CHECK:   memref.store %[[X]], %[[A]]
//       CHECK:   memref.copy %[[K]], %[[OLD]]
//  CHECK-NEXT:   memref.copy %[[A]], %[[K]]
//  CHECK-NEXT:   return
func.func @read_later(%x: f32, %k: tensor<8xf32>) -> (tensor<8xf32> {jit.in_place = 1 : i64}, tensor<8xf32>) {
  %c2 = arith.constant 2 : index
  %new = tensor.insert %x into %k[%c2] : tensor<8xf32>
  return %new, %k : tensor<8xf32>, tensor<8xf32>
}

// Two that change places.
// CHECK-LABEL: func.func @swapped(
//  CHECK-SAME:   %[[A:.*]]: memref<8xf32> {jit.written}, %[[B:.*]]: memref<8xf32> {jit.written}
//       CHECK:   memref.copy %[[A]], %[[ASIDE:.*]] :
//       CHECK:   memref.copy %[[B]], %[[A]]
//       CHECK:   memref.copy %[[ASIDE]], %[[B]]
func.func @swapped(%a: tensor<8xf32>, %b: tensor<8xf32>) -> (tensor<8xf32> {jit.in_place = 0 : i64}, tensor<8xf32> {jit.in_place = 1 : i64}) {
  return %b, %a : tensor<8xf32>, tensor<8xf32>
}
