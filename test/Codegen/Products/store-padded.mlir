// RUN: jit-opt %s --jit-store-padded | FileCheck %s

#id = affine_map<(n, h, w, c) -> (n, h, w, c)>

// The image is inserted, its borders are filled, and who else reads the image reads it there.
// CHECK-LABEL: func.func @inside
// CHECK: %[[IMAGE:.+]] = linalg.generic
// CHECK: %[[ALL:.+]] = tensor.empty() : tensor<1x6x8x16xf32>
// CHECK: %[[INSERTED:.+]] = tensor.insert_slice %[[IMAGE]] into %[[ALL]][0, 1, 2, 0] [1, 4, 6, 16]
// CHECK: tensor.extract_slice %[[INSERTED]][0, 0, 0, 0] [1, 1, 8, 16]
// CHECK: linalg.fill ins(%[[MINUS:.+]] : f32)
// CHECK: linalg.fill ins(%[[MINUS]] : f32) outs(%{{.+}} : tensor<1x1x8x16xf32>)
// CHECK: linalg.fill ins(%[[MINUS]] : f32) outs(%{{.+}} : tensor<1x4x2x16xf32>)
// CHECK-NOT: linalg.fill
// CHECK: %[[PADDED:.+]] = tensor.insert_slice
// CHECK: %[[AGAIN:.+]] = tensor.extract_slice %[[PADDED]][0, 1, 2, 0] [1, 4, 6, 16]
// CHECK-NOT: tensor.pad
// CHECK: return %[[PADDED]], %[[AGAIN]]
func.func @inside(%x: tensor<1x4x6x16xf32>) -> (tensor<1x6x8x16xf32>, tensor<1x4x6x16xf32>) {
  %empty = tensor.empty() : tensor<1x4x6x16xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x : tensor<1x4x6x16xf32>) outs(%empty : tensor<1x4x6x16xf32>) {
  ^bb0(%p: f32, %o: f32):
    %e = math.exp %p : f32
    linalg.yield %e : f32
  } -> tensor<1x4x6x16xf32>
  %pad = tensor.pad %y low[0, 1, 2, 0] high[0, 1, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    %minus = arith.constant -1.0 : f32
    tensor.yield %minus : f32
  } : tensor<1x4x6x16xf32> to tensor<1x6x8x16xf32>
  return %pad, %y : tensor<1x6x8x16xf32>, tensor<1x4x6x16xf32>
}

// What is added is no constant; three dimensions are no image; rows that are padded would be short ones.
// CHECK-LABEL: func.func @stays
// CHECK-COUNT-3: tensor.pad
func.func @stays(%x: tensor<1x4x6x16xf32>, %value: f32) -> (tensor<1x6x6x16xf32>, tensor<6x6x16xf32>, tensor<1x4x6x18xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = tensor.pad %x low[0, 1, 0, 0] high[0, 1, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %value : f32
  } : tensor<1x4x6x16xf32> to tensor<1x6x6x16xf32>
  %y = tensor.extract_slice %x[0, 0, 0, 0] [1, 4, 6, 16] [1, 1, 1, 1] : tensor<1x4x6x16xf32> to tensor<4x6x16xf32>
  %b = tensor.pad %y low[1, 0, 0] high[1, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<4x6x16xf32> to tensor<6x6x16xf32>
  %c = tensor.pad %x low[0, 0, 0, 1] high[0, 0, 0, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x4x6x16xf32> to tensor<1x4x6x18xf32>
  return %a, %b, %c : tensor<1x6x6x16xf32>, tensor<6x6x16xf32>, tensor<1x4x6x18xf32>
}
