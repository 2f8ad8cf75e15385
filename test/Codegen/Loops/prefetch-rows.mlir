// RUN: jit-opt %s --jit-prefetch-rows | FileCheck %s
// RUN: jit-opt %s --jit-prefetch-rows=cache-bytes=134217728 | FileCheck %s --check-prefix=CACHED

// CACHED-NOT: memref.prefetch

#each = affine_map<(d0) -> (d0)>
#one = affine_map<(d0) -> ()>

// The exponentials, which take longest, hide the reading of the next row and the fetching of the written one.
// CHECK-LABEL: func.func @softmax(
// CHECK-SAME:      %[[X:.*]]: memref<4096x1024xf32>, %[[Y:.*]]: memref<4096x1024xf32>)
// CHECK:         scf.parallel (%[[I:.*]]) =
// CHECK:           iterator_types = ["reduction"]
// CHECK:           %[[NEXT:.*]] = arith.minsi
// CHECK:           %[[READ:.*]] = memref.subview %[[X]][%[[NEXT]], 0]
// CHECK:           %[[WRITTEN:.*]] = memref.subview %[[Y]][%[[I]], 0]
// CHECK:           scf.for
// CHECK-COUNT-8:     memref.prefetch %[[READ]][%{{.*}}], read
// CHECK-NOT:         memref.prefetch %[[READ]]
// CHECK-COUNT-8:     memref.prefetch %[[WRITTEN]][%{{.*}}], write
// CHECK-NOT:         memref.prefetch
// CHECK:             linalg.generic {{.*}} ins(%{{.*}} : memref<128xf32
// CHECK:               math.exp
// CHECK:           linalg.generic
func.func @softmax(%x: memref<4096x1024xf32>, %y: memref<4096x1024xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %rows = arith.constant 4096 : index
  scf.parallel (%i) = (%zero) to (%rows) step (%one) {
    %sum = memref.alloca() : memref<f32>
    %t = memref.alloca() : memref<1024xf32>
    %a = memref.subview %x[%i, 0] [1, 1024] [1, 1] : memref<4096x1024xf32> to memref<1024xf32, strided<[1], offset: ?>>
    linalg.generic {indexing_maps = [#each, #one], iterator_types = ["reduction"]}
        ins(%a : memref<1024xf32, strided<[1], offset: ?>>) outs(%sum : memref<f32>) {
    ^bb0(%v: f32, %s: f32):
      %0 = arith.maximumf %s, %v : f32
      linalg.yield %0 : f32
    }
    linalg.generic {indexing_maps = [#each, #one, #each], iterator_types = ["parallel"]}
        ins(%a, %sum : memref<1024xf32, strided<[1], offset: ?>>, memref<f32>) outs(%t : memref<1024xf32>) {
    ^bb0(%v: f32, %s: f32, %o: f32):
      %0 = arith.subf %v, %s : f32
      %1 = math.exp %0 : f32
      linalg.yield %1 : f32
    }
    %b = memref.subview %y[%i, 0] [1, 1024] [1, 1] : memref<4096x1024xf32> to memref<1024xf32, strided<[1], offset: ?>>
    linalg.generic {indexing_maps = [#each, #each], iterator_types = ["parallel"]}
        ins(%t : memref<1024xf32>) outs(%b : memref<1024xf32, strided<[1], offset: ?>>) {
    ^bb0(%v: f32, %o: f32):
      %0 = arith.mulf %v, %v : f32
      linalg.yield %0 : f32
    }
    scf.reduce
  }
  return
}

// Short rows are left to the machine.
// CHECK-LABEL: func.func @short(
// CHECK-NOT:     memref.prefetch
func.func @short(%x: memref<65536x128xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %rows = arith.constant 65536 : index
  scf.parallel (%i) = (%zero) to (%rows) step (%one) {
    %a = memref.subview %x[%i, 0] [1, 128] [1, 1] : memref<65536x128xf32> to memref<128xf32, strided<[1], offset: ?>>
    linalg.generic {indexing_maps = [#each], iterator_types = ["parallel"]}
        outs(%a : memref<128xf32, strided<[1], offset: ?>>) {
    ^bb0(%o: f32):
      %0 = math.exp %o : f32
      linalg.yield %0 : f32
    }
    scf.reduce
  }
  return
}
