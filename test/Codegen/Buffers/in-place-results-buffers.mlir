// RUN: jit-opt %s --jit-destination-style --one-shot-bufferize --jit-separate-results --canonicalize --cse | FileCheck %s
// RUN: jit-opt %s --jit-destination-style --empty-tensor-to-alloc-tensor --one-shot-bufferize --jit-separate-results --canonicalize --cse | FileCheck %s

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

// An argument that is computed anew is its own destination.
// CHECK-LABEL: func.func @by_element(
//  CHECK-SAME:   %[[K:.*]]: memref<8xf32> {jit.written}
//   CHECK-NOT:   memref.alloc
//       CHECK:   linalg.add ins(%[[K]], %[[K]] : memref<8xf32>, memref<8xf32>) outs(%[[K]] : memref<8xf32>)
//  CHECK-NEXT:   return
func.func @by_element(%k: tensor<8xf32>) -> (tensor<8xf32> {jit.in_place = 0 : i64}) {
  %empty = tensor.empty() : tensor<8xf32>
  %sum = linalg.add ins(%k, %k : tensor<8xf32>, tensor<8xf32>) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
  return %sum : tensor<8xf32>
}

// But not where it reads other places: that is computed aside.
// CHECK-LABEL: func.func @transposed(
//  CHECK-SAME:   %[[K:.*]]: memref<8x8xf32> {jit.written}
//       CHECK:   linalg.transpose ins(%[[K]] : memref<8x8xf32>) outs(%[[A:.*]] : memref<8x8xf32>)
//  CHECK-NEXT:   memref.copy %[[A]], %[[K]]
func.func @transposed(%k: tensor<8x8xf32>) -> (tensor<8x8xf32> {jit.in_place = 0 : i64}) {
  %empty = tensor.empty() : tensor<8x8xf32>
  %sum = linalg.transpose ins(%k : tensor<8x8xf32>) outs(%empty : tensor<8x8xf32>) permutation = [1, 0]
  return %sum : tensor<8x8xf32>
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

// What was written came to be what there was: what else begins with the argument has memory of its own.
// CHECK-LABEL: func.func @unchanged(
//  CHECK-SAME:   %[[K:[a-z0-9]+]]: memref<8xf32>, %{{.*}}: i64, %{{.*}}: memref<8xf32> {jit.result = 0 : i64}, %[[LAST:.*]]: memref<8xf32> {jit.result = 1 : i64})
//       CHECK:   memref.copy %[[K]], %[[A:.*]] :
//   CHECK-NOT:   %[[K]]
//       CHECK:   memref.copy %{{.*}}, %[[LAST]]
//  CHECK-NEXT:   return
func.func @unchanged(%k: tensor<8xf32>, %n: i64) -> (tensor<8xf32> {jit.in_place = 0 : i64}, tensor<8xf32>) {
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %x = arith.constant 1.0 : f32
  %last = scf.for %i = %zero to %n step %one iter_args(%p = %k) -> (tensor<8xf32>) : i64 {
    %new = tensor.insert %x into %p[%c2] : tensor<8xf32>
    scf.yield %new : tensor<8xf32>
  }
  return %k, %last : tensor<8xf32>, tensor<8xf32>
}

// The new value of one argument lies in the memory of another one, which gets a new value, too: it is copied before that is written.
// CHECK-LABEL: func.func @of_each_other(
//  CHECK-SAME:   %[[K:[a-z0-9]+]]: memref<8xf32> {jit.written}, %[[L:[a-z0-9]+]]: memref<8xf32> {jit.written},
//       CHECK:   memref.copy %[[K]], %[[NEW:.*]] :
//  CHECK-NEXT:   memref.store %{{.*}}, %[[NEW]]
//       CHECK:   memref.copy %[[K]], %[[OLD:.*]] :
//  CHECK-NEXT:   memref.copy %[[NEW]], %[[K]]
//  CHECK-NEXT:   memref.copy %[[OLD]], %[[L]]
//  CHECK-NEXT:   return
func.func @of_each_other(%k: tensor<8xf32>, %l: tensor<8xf32>) -> (tensor<8xf32> {jit.in_place = 0 : i64}, tensor<8xf32> {jit.in_place = 1 : i64}) {
  %c2 = arith.constant 2 : index
  %x = arith.constant 1.0 : f32
  %k1 = tensor.insert %x into %k[%c2] : tensor<8xf32>
  return %k1, %k : tensor<8xf32>, tensor<8xf32>
}
