// RUN: jit-opt %s --jit-gpu-map-products | FileCheck %s
// RUN: jit-opt %s --jit-gpu-map-products=tf32 | FileCheck %s --check-prefix=TF32

// The image and the filters are stored with their channels side by side, eight of them at a time by a thread whose neighbours read
// neighbours; the product copies pieces of eight of each.
// CHECK-LABEL: func.func @halves(
// CHECK:         %[[X:.*]] = memref.alloc() : memref<2x18x18x16xf16>
// CHECK:         gpu.launch
// CHECK-COUNT-8:   memref.load %arg0
// CHECK:           vector.store %{{.*}}, %[[X]]{{.*}} : memref<2x18x18x16xf16>, vector<8xf16>
// CHECK:         } {jit.kernel = "channels"}
// CHECK:         %[[W:.*]] = memref.alloc() : memref<32x3x3x16xf16>
// CHECK:         gpu.launch
// CHECK-COUNT-8:   memref.load %arg1
// CHECK:           vector.store %{{.*}}, %[[W]]{{.*}} : memref<32x3x3x16xf16>, vector<8xf16>
// CHECK:         } {jit.kernel = "channels"}
// CHECK:         gpu.launch
// CHECK:           nvgpu.device_async_copy %[[X]]
// CHECK:           nvgpu.device_async_copy %[[W]]
// CHECK:         } {jit.kernel = "mma"}
// CHECK-NOT:     linalg
#x = affine_map<(n, f, h, w, c, i, j) -> (n, c, h + i, w + j)>
#f = affine_map<(n, f, h, w, c, i, j) -> (f, c, i, j)>
#y = affine_map<(n, f, h, w, c, i, j) -> (n, f, h, w)>
func.func @halves(%x: memref<2x16x18x18xf16>, %f: memref<32x16x3x3xf16>, %y: memref<2x32x16x16xf32>) {
  linalg.generic {indexing_maps = [#x, #f, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %f : memref<2x16x18x18xf16>, memref<32x16x3x3xf16>) outs(%y : memref<2x32x16x16xf32>) {
  ^bb0(%l: f16, %r: f16, %o: f32):
    %0 = arith.extf %l : f16 to f32
    %1 = arith.extf %r : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  }
  return
}

// Behind twelve channels are four zeros.
// CHECK-LABEL: func.func @odd(
// CHECK:         %[[X:.*]] = memref.alloc() : memref<2x18x18x16xf16>
// CHECK:           %[[IN:.*]] = arith.cmpi ult, %{{.*}}, %c12{{(_[0-9]+)?}} : index
// CHECK:           %[[AT:.*]] = arith.select %[[IN]]
// CHECK:           %[[ELEMENT:.*]] = memref.load %arg0[%{{.*}}, %[[AT]], %{{.*}}, %{{.*}}]
// CHECK:           arith.select %[[IN]], %[[ELEMENT]], %cst{{.*}}
// CHECK:           vector.store %{{.*}}, %[[X]]
// CHECK:         %[[W:.*]] = memref.alloc() : memref<32x3x3x16xf16>
// CHECK:           nvgpu.device_async_copy %[[X]]
// CHECK:           nvgpu.device_async_copy %[[W]]
// CHECK:         jit.kernel = "mma"
func.func @odd(%x: memref<2x12x18x18xf16>, %f: memref<32x12x3x3xf16>, %y: memref<2x32x16x16xf32>) {
  linalg.generic {indexing_maps = [#x, #f, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %f : memref<2x12x18x18xf16>, memref<32x12x3x3xf16>) outs(%y : memref<2x32x16x16xf32>) {
  ^bb0(%l: f16, %r: f16, %o: f32):
    %0 = arith.extf %l : f16 to f32
    %1 = arith.extf %r : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  }
  return
}

// Two are gathered: zeros would be most of what is multiplied.
// CHECK-LABEL: func.func @two(
// CHECK-NOT:     channels
// CHECK:         jit.kernel = "mma"
func.func @two(%x: memref<2x2x18x18xf16>, %f: memref<32x2x3x3xf16>, %y: memref<2x32x16x16xf32>) {
  linalg.generic {indexing_maps = [#x, #f, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %f : memref<2x2x18x18xf16>, memref<32x2x3x3xf16>) outs(%y : memref<2x32x16x16xf32>) {
  ^bb0(%l: f16, %r: f16, %o: f32):
    %0 = arith.extf %l : f16 to f32
    %1 = arith.extf %r : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  }
  return
}

// The zeros that the program puts around the image are stored with its channels.
// CHECK-LABEL: func.func @padded(
// CHECK-NOT:     linalg
// CHECK:           arith.subi %{{.*}}, %c1{{.*}} : index
// CHECK:           arith.cmpi ult, %{{.*}}, %c16{{.*}} : index
// CHECK:           memref.load %arg0
// CHECK:           vector.store %{{.*}} : memref<2x18x18x16xf16>, vector<8xf16>
// CHECK:         jit.kernel = "mma"
// CHECK-NOT:     linalg
func.func @padded(%x: memref<2x16x16x16xf16>, %f: memref<32x16x3x3xf16>, %y: memref<2x32x16x16xf32>) {
  %zero = arith.constant 0.0 : f16
  %p = memref.alloc() : memref<2x16x18x18xf16>
  linalg.fill ins(%zero : f16) outs(%p : memref<2x16x18x18xf16>)
  %part = memref.subview %p[0, 0, 1, 1] [2, 16, 16, 16] [1, 1, 1, 1] : memref<2x16x18x18xf16> to memref<2x16x16x16xf16, strided<[5184, 324, 18, 1], offset: 19>>
  linalg.copy ins(%x : memref<2x16x16x16xf16>) outs(%part : memref<2x16x16x16xf16, strided<[5184, 324, 18, 1], offset: 19>>)
  linalg.generic {indexing_maps = [#x, #f, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%p, %f : memref<2x16x18x18xf16>, memref<32x16x3x3xf16>) outs(%y : memref<2x32x16x16xf32>) {
  ^bb0(%l: f16, %r: f16, %o: f32):
    %0 = arith.extf %l : f16 to f32
    %1 = arith.extf %r : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  }
  return
}

// A window of one element reads each once at most.
// CHECK-LABEL: func.func @once(
// CHECK-NOT:     channels
// CHECK:         jit.kernel = "mma"
#s = affine_map<(n, f, h, w, c, i, j) -> (n, c, h * 2 + i, w * 2 + j)>
func.func @once(%x: memref<2x16x18x18xf16>, %f: memref<32x16x1x1xf16>, %y: memref<2x32x9x9xf32>) {
  linalg.generic {indexing_maps = [#s, #f, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %f : memref<2x16x18x18xf16>, memref<32x16x1x1xf16>) outs(%y : memref<2x32x9x9xf32>) {
  ^bb0(%l: f16, %r: f16, %o: f32):
    %0 = arith.extf %l : f16 to f32
    %1 = arith.extf %r : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  }
  return
}

// Floats are exact by threads, which gather; where tf32 is allowed, twelve channels are three pieces, rounded as they are stored and
// nowhere else.
// CHECK-LABEL: func.func @floats(
// CHECK-NOT:     channels
// CHECK:         jit.kernel = "product"
// TF32-LABEL:  func.func @floats(
// TF32-COUNT-4:    nvvm.convert.float.to.tf32 %{{.*}} {rnd = #nvvm.fp_rnd_mode<rna>}
// TF32:            vector.store {{.*}} : memref<2x18x18x12xf32>, vector<4xf32>
// TF32:          jit.kernel = "channels"
// TF32-COUNT-4:    nvvm.convert.float.to.tf32
// TF32:            vector.store {{.*}} : memref<32x3x3x12xf32>, vector<4xf32>
// TF32:          jit.kernel = "channels"
// TF32-NOT:        nvvm.convert.float.to.tf32
// TF32:            nvgpu.ldmatrix {{.*}} -> vector<4x1xf32>
// TF32-NOT:        nvvm.convert.float.to.tf32
// TF32:          jit.kernel = "mma"
func.func @floats(%x: memref<2x12x18x18xf32>, %f: memref<32x12x3x3xf32>, %y: memref<2x32x16x16xf32>) {
  linalg.generic {indexing_maps = [#x, #f, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %f : memref<2x12x18x18xf32>, memref<32x12x3x3xf32>) outs(%y : memref<2x32x16x16xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %2 = arith.mulf %l, %r : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  }
  return
}
