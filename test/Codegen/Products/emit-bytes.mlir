// RUN: jit-opt %s --jit-emit-byte-products="lanes=16" --split-input-file | FileCheck %s
// RUN: jit-opt %s --jit-emit-byte-products="lanes=8" --split-input-file | FileCheck %s --check-prefix=NARROW

#rows = affine_map<(m, n, k) -> (m, k)>
#columns = affine_map<(m, n, k) -> (n, k)>
#sums = affine_map<(m, n, k) -> (m, n)>

// Tiles of four rows and four columns; what is left of 80 bytes is a masked load, what is left of six columns a tile of one.
// CHECK-LABEL: func.func @bytes(
//       CHECK:   scf.parallel {{.*}} step
//       CHECK:     scf.for
//       CHECK:       scf.for {{.*}} iter_args
//       CHECK:         vector.load {{.*}} vector<64xi8>
//       CHECK:         llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%{{.*}}, %{{.*}}, %{{.*}}) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
//       CHECK:         scf.yield
//       CHECK:       vector.maskedload
//       CHECK:       vector.reduction <add>
//       CHECK:       memref.store
//       CHECK:   jit.flops = 5120
//       CHECK:   scf.parallel
//       CHECK:   jit.flops = 2560
//   CHECK-NOT:   linalg.generic
//      NARROW:   llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(%{{.*}}) : (vector<8xi32>, vector<32xi8>, vector<32xi8>) -> vector<8xi32>
func.func @bytes(%x: memref<8x80xi8>, %w: memref<6x80xi8>, %s: memref<8x6xi32>) {
  linalg.generic {indexing_maps = [#rows, #columns, #sums], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : memref<8x80xi8>, memref<6x80xi8>) outs(%s : memref<8x6xi32>) {
  ^bb0(%a: i8, %b: i8, %c: i32):
    %0 = arith.extui %a : i8 to i32
    %1 = arith.extsi %b : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %c, %2 : i32
    linalg.yield %3 : i32
  }
  return
}

// -----

#rows = affine_map<(b, m, n, k) -> (b, m, k)>
#columns = affine_map<(b, m, n, k) -> (n, k)>
#sums = affine_map<(b, m, n, k) -> (b, m, n)>

// Rows that only a call counts, of two dimensions: whole tiles, then single rows.
// CHECK-LABEL: func.func @open(
//   CHECK-DAG:   memref.dim %{{.*}}, %c0
//   CHECK-DAG:   memref.dim %{{.*}}, %c1
//       CHECK:   scf.parallel
//       CHECK:     arith.remui
//       CHECK:     scf.for
//       CHECK:     scf.for
func.func @open(%x: memref<?x?x64xi8>, %w: memref<4x64xi8>, %s: memref<?x?x4xi32>) {
  linalg.generic {indexing_maps = [#rows, #columns, #sums], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : memref<?x?x64xi8>, memref<4x64xi8>) outs(%s : memref<?x?x4xi32>) {
  ^bb0(%a: i8, %b: i8, %c: i32):
    %0 = arith.extui %a : i8 to i32
    %1 = arith.extsi %b : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %c, %2 : i32
    linalg.yield %3 : i32
  }
  return
}

// -----

#rows = affine_map<(m, n, k) -> (m, k)>
#columns = affine_map<(m, n, k) -> (n, k)>
#turned = affine_map<(m, n, k) -> (k, n)>
#sums = affine_map<(m, n, k) -> (m, n)>

// Both signed, columns side by side, and columns that only a call counts: not this instruction's.
// CHECK-LABEL: func.func @others(
// CHECK-COUNT-3: linalg.generic
func.func @others(%x: memref<8x64xi8>, %w: memref<4x64xi8>, %t: memref<64x4xi8>, %v: memref<?x64xi8>, %s: memref<8x4xi32>, %r: memref<8x?xi32>) {
  linalg.generic {indexing_maps = [#rows, #columns, #sums], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : memref<8x64xi8>, memref<4x64xi8>) outs(%s : memref<8x4xi32>) {
  ^bb0(%a: i8, %b: i8, %c: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.extsi %b : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %c, %2 : i32
    linalg.yield %3 : i32
  }
  linalg.generic {indexing_maps = [#rows, #turned, #sums], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %t : memref<8x64xi8>, memref<64x4xi8>) outs(%s : memref<8x4xi32>) {
  ^bb0(%a: i8, %b: i8, %c: i32):
    %0 = arith.extui %a : i8 to i32
    %1 = arith.extsi %b : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %c, %2 : i32
    linalg.yield %3 : i32
  }
  linalg.generic {indexing_maps = [#rows, #columns, #sums], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %v : memref<8x64xi8>, memref<?x64xi8>) outs(%r : memref<8x?xi32>) {
  ^bb0(%a: i8, %b: i8, %c: i32):
    %0 = arith.extui %a : i8 to i32
    %1 = arith.extsi %b : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %c, %2 : i32
    linalg.yield %3 : i32
  }
  return
}

// -----

// Rows of unknown length have no known distance.
// CHECK-LABEL: func.func @open_rows(
//       CHECK:   linalg.generic
func.func @open_rows(%x: memref<8x?xi8>, %w: memref<4x64xi8>, %s: memref<8x4xi32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : memref<8x?xi8>, memref<4x64xi8>) outs(%s : memref<8x4xi32>) {
  ^bb0(%a: i8, %b: i8, %c: i32):
    %0 = arith.extui %a : i8 to i32
    %1 = arith.extsi %b : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %c, %2 : i32
    linalg.yield %3 : i32
  }
  return
}
