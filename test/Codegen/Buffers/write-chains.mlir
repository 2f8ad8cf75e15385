// RUN: jit-opt %s --jit-write-chains=most=2 | FileCheck %s

// Three writes after each other, of what was read before: a buffer and three copies into it.
// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>, %[[V:.*]]: tensor<8xf32>
// CHECK: %[[BUFFER:.*]] = memref.alloc() : memref<4x8xf32>
// CHECK: %[[START:.*]] = bufferization.to_buffer %[[X]] read_only
// CHECK: memref.copy %[[START]], %[[BUFFER]]
// CHECK: %[[FIRST:.*]] = memref.subview %[[BUFFER]][0, 0] [1, 8] [1, 1]
// CHECK: memref.copy %{{.*}}, %[[FIRST]]
// CHECK: %[[PART:.*]] = memref.subview %[[BUFFER]][0, 0] [1, 8] [1, 1]
// CHECK: %[[READ:.*]] = bufferization.to_tensor %[[PART]] restrict
// CHECK: linalg.exp ins(%[[READ]]
// CHECK: memref.subview %[[BUFFER]][1, 0] [1, 8] [1, 1]
// CHECK: memref.copy
// CHECK: memref.subview %[[BUFFER]][2, 0] [1, 8] [1, 1]
// CHECK: memref.copy
// CHECK: %[[ALL:.*]] = bufferization.to_tensor %[[BUFFER]] restrict
// CHECK: return %[[ALL]]
func.func @rows(%x: tensor<4x8xf32>, %v: tensor<8xf32>) -> tensor<4x8xf32> {
  %a = tensor.insert_slice %v into %x[0, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<4x8xf32>
  %r = tensor.extract_slice %a[0, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %w = linalg.exp ins(%r : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %b = tensor.insert_slice %w into %a[1, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<4x8xf32>
  %c = tensor.insert_slice %w into %b[2, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<4x8xf32>
  return %c : tensor<4x8xf32>
}

// What is read before the next write and used behind it is copied.
// CHECK-LABEL: func.func @usedLater(
// CHECK: %[[READ:.*]] = bufferization.to_tensor %{{.*}} restrict
// CHECK: %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[READ]])
// CHECK: return %{{.*}}, %[[COPY]]
func.func @usedLater(%x: tensor<4x8xf32>, %v: tensor<8xf32>) -> (tensor<4x8xf32>, tensor<8xf32>) {
  %a = tensor.insert_slice %v into %x[0, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<4x8xf32>
  %r = tensor.extract_slice %a[1, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<8xf32>
  %b = tensor.insert_slice %v into %a[1, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<4x8xf32>
  %c = tensor.insert_slice %v into %b[2, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<4x8xf32>
  return %c, %r : tensor<4x8xf32>, tensor<8xf32>
}

// What is read behind the next write is a tensor of its own: there is no chain of three.
// CHECK-LABEL: func.func @readLater(
// CHECK-NOT: memref.alloc
func.func @readLater(%x: tensor<4x8xf32>, %v: tensor<8xf32>) -> (tensor<4x8xf32>, tensor<8xf32>) {
  %a = tensor.insert_slice %v into %x[0, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<4x8xf32>
  %b = tensor.insert_slice %v into %a[1, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<4x8xf32>
  %c = tensor.insert_slice %v into %b[2, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<4x8xf32>
  %r = tensor.extract_slice %a[1, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<8xf32>
  return %c, %r : tensor<4x8xf32>, tensor<8xf32>
}
