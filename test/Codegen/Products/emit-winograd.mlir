// RUN: jit-opt %s --pass-pipeline='builtin.module(func.func(jit-emit-products{lanes=16 registers=32 l2-bytes=1048576},canonicalize,cse))' | FileCheck %s --implicit-check-not=winograd.conv

#id = affine_map<(n, h, w, o) -> (n, h, w, o)>
#bias = affine_map<(n, h, w, o) -> (o)>

// Many groups of tiles: each is transformed, multiplied and stored by one thread.
// CHECK-LABEL: func.func @groups
// CHECK: %[[IMAGE:.+]] = memref.alloc() {alignment = 64 : i64} : memref<{{.+}}xf32>
// CHECK: %[[SUMS:.+]] = memref.alloc() {alignment = 64 : i64} : memref<{{.+}}xf32>
// CHECK: scf.parallel
// CHECK-COUNT-36: vector.store {{.*}}, %[[IMAGE]]
// CHECK: vector.fma
// CHECK: vector.store {{.*}}, %[[SUMS]]
// CHECK-COUNT-36: vector.load %[[SUMS]]
// CHECK-NOT: vector.store {{.*}}, %[[SUMS]]
// CHECK: jit.flops = 57802752
// CHECK-NOT: scf.parallel
func.func @groups(%x: memref<1x58x58x64xf32>, %w: memref<2x36x64x32xf32>, %y: memref<1x56x56x64xf32>) {
  winograd.conv tile 4 taps 3 ins(%x, %w : memref<1x58x58x64xf32>, memref<2x36x64x32xf32>)
                              outs(%y : memref<1x56x56x64xf32>)
  return
}

// Few groups: all threads transform, then all multiply, blocks of weights apart. The last row and column of tiles read
// and store less.
// CHECK-LABEL: func.func @phases
// CHECK: scf.parallel
// CHECK: scf.if
// CHECK: jit.flops
// CHECK: scf.parallel
// CHECK: vector.fma
// CHECK: scf.if
// CHECK: jit.flops
func.func @phases(%x: memref<1x16x16x128xf32>, %w: memref<4x36x128x32xf32>, %y: memref<1x14x14x128xf32>) {
  winograd.conv tile 4 taps 3 ins(%x, %w : memref<1x16x16x128xf32>, memref<4x36x128x32xf32>)
                              outs(%y : memref<1x14x14x128xf32>)
  return
}

// Bias before and ReLU after are part of the stores: nothing else touches the output.
// CHECK-LABEL: func.func @finish
// CHECK-NOT: linalg
// CHECK: arith.addf
// CHECK: arith.maximumf {{.*}} : vector<16xf32>
// CHECK: vector.store {{.*}} memref<100352xf32
// CHECK-NOT: linalg
func.func @finish(%x: memref<1x30x30x128xf32>, %w: memref<4x36x128x32xf32>, %b: memref<128xf32>,
                  %y: memref<1x28x28x128xf32>) {
  %zero = arith.constant 0.0 : f32
  %sums = memref.alloc() : memref<1x28x28x128xf32>
  linalg.generic {indexing_maps = [#bias, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%b : memref<128xf32>) outs(%sums : memref<1x28x28x128xf32>) {
  ^bb0(%p: f32, %o: f32):
    linalg.yield %p : f32
  }
  winograd.conv tile 4 taps 3 ins(%x, %w : memref<1x30x30x128xf32>, memref<4x36x128x32xf32>)
                              outs(%sums : memref<1x28x28x128xf32>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%sums : memref<1x28x28x128xf32>) outs(%y : memref<1x28x28x128xf32>) {
  ^bb0(%p: f32, %o: f32):
    %m = arith.maximumf %p, %zero : f32
    linalg.yield %m : f32
  }
  return
}
