// Parts of a concatenation are computed where they lie; one that is read where another is written is copied first.
// RUN: jit-opt %s --jit-to-cpu --mlir-print-ir-after=jit-verify-module -o /dev/null 2>&1 | FileCheck %s

// CHECK-LABEL: func.func @beside(%{{.*}}: memref<4xf32>, %{{.*}}: memref<4xf32>, %{{.*}}: memref<8xf32>
// CHECK-NOT:     memref.alloc() {{.*}} : memref<4xf32>
// CHECK:         memref.subview %{{.*}}[0] [4]
// CHECK-NOT:     memref.alloc() {{.*}} : memref<4xf32>
// CHECK:         memref.subview %{{.*}}[4] [4]
// CHECK-NOT:     memref.alloc() {{.*}} : memref<4xf32>
// CHECK:         return
func.func @beside(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<8xf32> {
  %empty = tensor.empty() : tensor<8xf32>
  %low = tensor.empty() : tensor<4xf32>
  %a = linalg.exp ins(%x : tensor<4xf32>) outs(%low : tensor<4xf32>) -> tensor<4xf32>
  %first = tensor.insert_slice %a into %empty[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %high = tensor.empty() : tensor<4xf32>
  %b = linalg.log ins(%y : tensor<4xf32>) outs(%high : tensor<4xf32>) -> tensor<4xf32>
  %both = tensor.insert_slice %b into %first[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %both : tensor<8xf32>
}

// CHECK-LABEL: func.func @overlapping(%{{.*}}: memref<8xf32>, %{{.*}}: memref<8xf32>
// CHECK:         %[[READ:.*]] = memref.subview %{{.*}}[0] [4]
// CHECK:         %[[COPY:.*]] = memref.alloc
// CHECK:         memref.copy %[[READ]], %[[COPY]]
func.func @overlapping(%x: tensor<8xf32>) -> tensor<8xf32> {
  %empty = tensor.empty() : tensor<8xf32>
  %all = linalg.exp ins(%x : tensor<8xf32>) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
  %read = tensor.extract_slice %all[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %moved = tensor.insert_slice %read into %all[2] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %moved : tensor<8xf32>
}
