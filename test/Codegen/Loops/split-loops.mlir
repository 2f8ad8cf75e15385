// RUN: jit-opt %s --jit-split-loops | FileCheck %s

#all = affine_map<(d0, d1) -> (d0, d1)>

// A sum over everything: partial sums first.
// CHECK-LABEL: func.func @whole(
// CHECK-SAME:      %[[X:.*]]: memref<1024x1024xf32>, %[[Y:.*]]: memref<f32>
// CHECK:         %[[PARTIAL:.*]] = memref.alloc() : memref<32xf32>
// CHECK:         linalg.fill ins(%{{.*}} : f32) outs(%[[PARTIAL]]
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%{{.*}} : memref<32x32768xf32>) outs(%[[PARTIAL]]
// CHECK:         linalg.generic {{.*}} iterator_types = ["reduction"]} ins(%[[PARTIAL]] : memref<32xf32>) outs(%[[Y]]
func.func @whole(%x: memref<1024x1024xf32>, %y: memref<f32>) {
  linalg.generic {indexing_maps = [#all, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%x : memref<1024x1024xf32>) outs(%y : memref<f32>) {
  ^bb0(%a: f32, %s: f32):
    %0 = arith.addf %s, %a : f32
    linalg.yield %0 : f32
  }
  return
}

// A maximum over the batch: each part has its rows.
// CHECK-LABEL: func.func @columns(
// CHECK:         %[[LOWEST:.*]] = arith.constant 0xFF800000
// CHECK:         linalg.fill ins(%[[LOWEST]]
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "reduction", "parallel"]} ins(%{{.*}} : memref<32x128x64xf32>) outs(%{{.*}} : memref<32x64xf32>)
// CHECK:         linalg.generic {{.*}} iterator_types = ["reduction", "parallel"]
// CHECK:           arith.maximumf
func.func @columns(%x: memref<4096x64xf32>, %y: memref<64xf32>) {
  linalg.generic {indexing_maps = [#all, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : memref<4096x64xf32>) outs(%y : memref<64xf32>) {
  ^bb0(%a: f32, %s: f32):
    %0 = arith.maximumf %s, %a : f32
    linalg.yield %0 : f32
  }
  return
}

// Long rows are cut themselves: nothing has to be combined.
// CHECK-LABEL: func.func @wide(
// CHECK-NOT:     memref.alloc
// CHECK:         linalg.generic {{.*}} iterator_types = ["reduction", "parallel", "parallel"]} ins(%{{.*}} : memref<8x32x32768xf32>) outs(%{{.*}} : memref<32x32768xf32>)
func.func @wide(%x: memref<8x1048576xf32>, %y: memref<1048576xf32>) {
  linalg.generic {indexing_maps = [#all, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : memref<8x1048576xf32>) outs(%y : memref<1048576xf32>) {
  ^bb0(%a: f32, %s: f32):
    %0 = arith.addf %s, %a : f32
    linalg.yield %0 : f32
  }
  return
}

// Rows that are independent suffice.
// CHECK-LABEL: func.func @rows(
// CHECK-NOT:     memref.alloc
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
func.func @rows(%x: memref<1024x1024xf32>, %y: memref<1024xf32>) {
  linalg.generic {indexing_maps = [#all, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<1024x1024xf32>) outs(%y : memref<1024xf32>) {
  ^bb0(%a: f32, %s: f32):
    %0 = arith.addf %s, %a : f32
    linalg.yield %0 : f32
  }
  return
}
