// RUN: jit-opt %s --jit-store-padded | FileCheck %s

#id = affine_map<(n, h, w, c) -> (n, h, w, c)>

// Its borders are filled, the image is computed between them, and who reads the image alone reads it there.
// CHECK-LABEL: func.func @inside
// CHECK: %[[ALL:.+]] = tensor.empty() : tensor<1x6x8x16xf32>
// CHECK: linalg.fill ins(%{{.+}} : f32) outs(%{{.+}} : tensor<1x1x8x16xf32>)
// CHECK: linalg.fill ins(%{{.+}} : f32) outs(%{{.+}} : tensor<1x1x8x16xf32>)
// CHECK: linalg.fill ins(%{{.+}} : f32) outs(%{{.+}} : tensor<1x4x2x16xf32>)
// CHECK-NOT: linalg.fill
// CHECK: %[[BORDERS:.+]] = tensor.insert_slice
// CHECK: %[[PLACE:.+]] = tensor.extract_slice %[[BORDERS]][0, 1, 2, 0] [1, 4, 6, 16]
// CHECK: %[[IMAGE:.+]] = linalg.generic {{.*}} outs(%[[PLACE]] :
// CHECK: %[[PADDED:.+]] = tensor.insert_slice %[[IMAGE]] into %[[BORDERS]][0, 1, 2, 0]
// CHECK: %[[AGAIN:.+]] = tensor.extract_slice %[[PADDED]][0, 1, 2, 0]
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

// What no op computes, and what is computed over something, is copied.
// CHECK-LABEL: func.func @copied
// CHECK-COUNT-2: tensor.pad
func.func @copied(%x: tensor<1x4x6x16xf32>) -> (tensor<1x6x6x16xf32>, tensor<1x6x6x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %y = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      outs(%x : tensor<1x4x6x16xf32>) {
  ^bb0(%p: f32):
    %e = math.exp %p : f32
    linalg.yield %e : f32
  } -> tensor<1x4x6x16xf32>
  %a = tensor.pad %x low[0, 1, 0, 0] high[0, 1, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x4x6x16xf32> to tensor<1x6x6x16xf32>
  %b = tensor.pad %y low[0, 1, 0, 0] high[0, 1, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x4x6x16xf32> to tensor<1x6x6x16xf32>
  return %a, %b : tensor<1x6x6x16xf32>, tensor<1x6x6x16xf32>
}
