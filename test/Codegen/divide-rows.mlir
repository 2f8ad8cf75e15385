// RUN: jit-opt %s --jit-divide-rows | FileCheck %s

#row = affine_map<(d0) -> (d0)>
#first = affine_map<(d0) -> (0)>

// CHECK-LABEL: func.func @row(
// CHECK-SAME:      %[[X:.*]]: memref<1024xf32>, %[[S:.*]]: memref<1xf32>
// CHECK:         %[[DIVISOR:.*]] = memref.load %[[S]][%c0]
// CHECK:         %[[R:.*]] = arith.divf %{{.*}}, %[[DIVISOR]]
// CHECK:         %[[SIZE:.*]] = math.absf %[[DIVISOR]]
// CHECK:         %[[NORMAL:.*]] = arith.cmpf oge, %[[SIZE]], %{{.*}}
// CHECK:         scf.if %[[NORMAL]] {
// CHECK:           linalg.generic
// CHECK:           ^bb0(%[[A:.*]]: f32, %[[D:.*]]: f32, %{{.*}}: f32):
// CHECK:             %[[Q:.*]] = arith.mulf %[[A]], %[[R]]
// CHECK:             %[[N:.*]] = arith.negf %[[Q]]
// CHECK:             %[[E:.*]] = math.fma %[[N]], %[[D]], %[[A]]
// CHECK:             %[[BETTER:.*]] = math.fma %[[E]], %[[R]], %[[Q]]
// CHECK:             %[[CORRECTS:.*]] = arith.cmpf one, %[[E]]
// CHECK:             arith.select %[[CORRECTS]], %[[BETTER]], %[[Q]]
// CHECK:         } else {
// CHECK:           linalg.generic
// CHECK:             arith.divf
func.func @row(%x: memref<1024xf32>, %s: memref<1xf32>, %y: memref<1024xf32>) {
  linalg.generic {indexing_maps = [#row, #first, #row], iterator_types = ["parallel"]}
      ins(%x, %s : memref<1024xf32>, memref<1xf32>) outs(%y : memref<1024xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %q = arith.divf %a, %b : f32
    linalg.yield %q : f32
  }
  return
}

// A few quotients are not worth a second loop; a divisor that moves has no reciprocal to share; halves are divided in f32.
// CHECK-LABEL: func.func @stay(
// CHECK-NOT:     scf.if
// CHECK:         return
func.func @stay(%x: memref<8xf32>, %s: memref<1xf32>, %z: memref<1024xf32>, %h: memref<1024xf16>, %t: memref<1xf16>) {
  linalg.generic {indexing_maps = [#row, #first, #row], iterator_types = ["parallel"]}
      ins(%x, %s : memref<8xf32>, memref<1xf32>) outs(%x : memref<8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %q = arith.divf %a, %b : f32
    linalg.yield %q : f32
  }
  linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel"]}
      ins(%z, %z : memref<1024xf32>, memref<1024xf32>) outs(%z : memref<1024xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %q = arith.divf %a, %b : f32
    linalg.yield %q : f32
  }
  linalg.generic {indexing_maps = [#row, #first, #row], iterator_types = ["parallel"]}
      ins(%h, %t : memref<1024xf16>, memref<1xf16>) outs(%h : memref<1024xf16>) {
  ^bb0(%a: f16, %b: f16, %c: f16):
    %q = arith.divf %a, %b : f16
    linalg.yield %q : f16
  }
  return
}
