// Loops are not fused to one so long that LLVM would take minutes for it.
// RUN: jit-opt %s --jit-fuse-loops | FileCheck %s

#id = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func.func @short(
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
func.func @short(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%v: f32, %o: f32):
      %a0 = math.sin %v : f32
      %a1 = math.sin %a0 : f32
      %a2 = math.sin %a1 : f32
      %a3 = math.sin %a2 : f32
      %a4 = math.sin %a3 : f32
      %a5 = math.sin %a4 : f32
      %a6 = math.sin %a5 : f32
      %a7 = math.sin %a6 : f32
      %a8 = math.sin %a7 : f32
      %a9 = math.sin %a8 : f32
      %a10 = math.sin %a9 : f32
      %a11 = math.sin %a10 : f32
      %a12 = math.sin %a11 : f32
      %a13 = math.sin %a12 : f32
      %a14 = math.sin %a13 : f32
      %a15 = math.sin %a14 : f32
      %a16 = math.sin %a15 : f32
      %a17 = math.sin %a16 : f32
      %a18 = math.sin %a17 : f32
      %a19 = math.sin %a18 : f32
      %a20 = math.sin %a19 : f32
      %a21 = math.sin %a20 : f32
      %a22 = math.sin %a21 : f32
      %a23 = math.sin %a22 : f32
      %a24 = math.sin %a23 : f32
      %a25 = math.sin %a24 : f32
      %a26 = math.sin %a25 : f32
      %a27 = math.sin %a26 : f32
      %a28 = math.sin %a27 : f32
      %a29 = math.sin %a28 : f32
      %a30 = math.sin %a29 : f32
      linalg.yield %a30 : f32
  } -> tensor<8xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%v: f32, %o: f32):
      %b0 = math.sin %v : f32
      %b1 = math.sin %b0 : f32
      %b2 = math.sin %b1 : f32
      %b3 = math.sin %b2 : f32
      %b4 = math.sin %b3 : f32
      %b5 = math.sin %b4 : f32
      %b6 = math.sin %b5 : f32
      %b7 = math.sin %b6 : f32
      %b8 = math.sin %b7 : f32
      %b9 = math.sin %b8 : f32
      %b10 = math.sin %b9 : f32
      %b11 = math.sin %b10 : f32
      %b12 = math.sin %b11 : f32
      %b13 = math.sin %b12 : f32
      %b14 = math.sin %b13 : f32
      %b15 = math.sin %b14 : f32
      %b16 = math.sin %b15 : f32
      %b17 = math.sin %b16 : f32
      %b18 = math.sin %b17 : f32
      %b19 = math.sin %b18 : f32
      %b20 = math.sin %b19 : f32
      %b21 = math.sin %b20 : f32
      %b22 = math.sin %b21 : f32
      %b23 = math.sin %b22 : f32
      %b24 = math.sin %b23 : f32
      %b25 = math.sin %b24 : f32
      %b26 = math.sin %b25 : f32
      %b27 = math.sin %b26 : f32
      %b28 = math.sin %b27 : f32
      %b29 = math.sin %b28 : f32
      %b30 = math.sin %b29 : f32
      %b31 = math.sin %b30 : f32
      linalg.yield %b31 : f32
  } -> tensor<8xf32>
  return %b : tensor<8xf32>
}

// CHECK-LABEL: func.func @long(
// CHECK-COUNT-2: linalg.generic
func.func @long(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%v: f32, %o: f32):
      %a0 = math.sin %v : f32
      %a1 = math.sin %a0 : f32
      %a2 = math.sin %a1 : f32
      %a3 = math.sin %a2 : f32
      %a4 = math.sin %a3 : f32
      %a5 = math.sin %a4 : f32
      %a6 = math.sin %a5 : f32
      %a7 = math.sin %a6 : f32
      %a8 = math.sin %a7 : f32
      %a9 = math.sin %a8 : f32
      %a10 = math.sin %a9 : f32
      %a11 = math.sin %a10 : f32
      %a12 = math.sin %a11 : f32
      %a13 = math.sin %a12 : f32
      %a14 = math.sin %a13 : f32
      %a15 = math.sin %a14 : f32
      %a16 = math.sin %a15 : f32
      %a17 = math.sin %a16 : f32
      %a18 = math.sin %a17 : f32
      %a19 = math.sin %a18 : f32
      %a20 = math.sin %a19 : f32
      %a21 = math.sin %a20 : f32
      %a22 = math.sin %a21 : f32
      %a23 = math.sin %a22 : f32
      %a24 = math.sin %a23 : f32
      %a25 = math.sin %a24 : f32
      %a26 = math.sin %a25 : f32
      %a27 = math.sin %a26 : f32
      %a28 = math.sin %a27 : f32
      %a29 = math.sin %a28 : f32
      %a30 = math.sin %a29 : f32
      %a31 = math.sin %a30 : f32
      linalg.yield %a31 : f32
  } -> tensor<8xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%v: f32, %o: f32):
      %b0 = math.sin %v : f32
      %b1 = math.sin %b0 : f32
      %b2 = math.sin %b1 : f32
      %b3 = math.sin %b2 : f32
      %b4 = math.sin %b3 : f32
      %b5 = math.sin %b4 : f32
      %b6 = math.sin %b5 : f32
      %b7 = math.sin %b6 : f32
      %b8 = math.sin %b7 : f32
      %b9 = math.sin %b8 : f32
      %b10 = math.sin %b9 : f32
      %b11 = math.sin %b10 : f32
      %b12 = math.sin %b11 : f32
      %b13 = math.sin %b12 : f32
      %b14 = math.sin %b13 : f32
      %b15 = math.sin %b14 : f32
      %b16 = math.sin %b15 : f32
      %b17 = math.sin %b16 : f32
      %b18 = math.sin %b17 : f32
      %b19 = math.sin %b18 : f32
      %b20 = math.sin %b19 : f32
      %b21 = math.sin %b20 : f32
      %b22 = math.sin %b21 : f32
      %b23 = math.sin %b22 : f32
      %b24 = math.sin %b23 : f32
      %b25 = math.sin %b24 : f32
      %b26 = math.sin %b25 : f32
      %b27 = math.sin %b26 : f32
      %b28 = math.sin %b27 : f32
      %b29 = math.sin %b28 : f32
      %b30 = math.sin %b29 : f32
      %b31 = math.sin %b30 : f32
      linalg.yield %b31 : f32
  } -> tensor<8xf32>
  return %b : tensor<8xf32>
}
