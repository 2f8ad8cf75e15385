// RUN: jit-opt %s --jit-gpu-map-kernels --cse | FileCheck %s

#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#j = affine_map<(i, j) -> (j)>

// Rows of known length in any number: they are in registers, and warps go from row to row.
// CHECK-LABEL: func.func @known_length(
// CHECK:         gpu.launch blocks({{.*}}) in (%{{.*}} = %c1728{{.*}}) threads({{.*}}) in (%{{.*}} = %c128
// CHECK:           scf.for %{{.*}} to %{{.*}} step %c1728
// CHECK:             vector.load {{.*}} : memref<?x256xf32>, vector<4xf32>
// CHECK-COUNT-5:     gpu.shuffle xor
// CHECK:             vector.store {{.*}} : memref<?x256xf32>, vector<4xf32>
// CHECK-NOT:         gpu.barrier
// CHECK:         } {jit.kernel = "rows", jit.registers = 128 : i64}
// CHECK-NOT:     gpu.launch
func.func @known_length(%x: memref<?x256xf32>, %y: memref<?x256xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?x256xf32>
  %sums = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<?xf32>)
  linalg.reduce { arith.addf } ins(%x : memref<?x256xf32>) outs(%sums : memref<?xf32>) dimensions = [1]
  linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sums : memref<?x256xf32>, memref<?xf32>) outs(%y : memref<?x256xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %0 = arith.divf %a, %s : f32
    linalg.yield %0 : f32
  }
  return
}

// Rows of any length: a block for each, which goes along it once for each sum and once to store; what is in between is computed
// again instead of stored. Whether vectors are whole is one test of the length.
// CHECK-LABEL: func.func @any_length(
// CHECK-NOT:     gpu.launch {{.*}} gpu.launch
// CHECK:         gpu.launch blocks({{.*}}) in (%{{.*}} = %c1728{{.*}}) threads({{.*}}) in (%{{.*}} = %c128
// CHECK:           arith.remui %{{.*}}, %c4
// CHECK:           %[[WHOLE:.*]] = arith.cmpi eq
// CHECK:           scf.for %{{.*}} step %c1728
// CHECK:             scf.if %[[WHOLE]]
// CHECK:               scf.for %{{.*}} to %[[M:.*]] step %c512 iter_args
// CHECK:                 vector.load {{.*}} : memref<?x?xf32>, vector<4xf32>
// CHECK-COUNT-4:         math.exp
// CHECK-NOT:             store
// CHECK:                 scf.yield
// CHECK:               gpu.barrier
// CHECK:               scf.for %{{.*}} to %[[M]] step %c512
// CHECK-COUNT-4:         math.exp
// CHECK:                 vector.store {{.*}}%arg2
// CHECK:             } else {
// CHECK:               scf.for %{{.*}} to %[[M]] step %c128 iter_args
// CHECK:                 memref.load
// CHECK:               scf.for %{{.*}} to %[[M]] step %c128
// CHECK:                 memref.store {{.*}}%arg2
// CHECK:             gpu.barrier
// CHECK:         } {jit.kernel = "rows", jit.registers = 128 : i64}
// CHECK-NOT:     gpu.launch
func.func @any_length(%x: memref<?x?xf32>, %w: memref<?xf32>, %y: memref<?x?xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x?xf32>
  %m = memref.dim %x, %c1 : memref<?x?xf32>
  %e = memref.alloc(%n, %m) : memref<?x?xf32>
  %sums = memref.alloc(%n) : memref<?xf32>
  linalg.exp ins(%x : memref<?x?xf32>) outs(%e : memref<?x?xf32>)
  linalg.fill ins(%zero : f32) outs(%sums : memref<?xf32>)
  linalg.reduce { arith.addf } ins(%e : memref<?x?xf32>) outs(%sums : memref<?xf32>) dimensions = [1]
  linalg.generic {indexing_maps = [#ij, #i, #j, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%e, %sums, %w : memref<?x?xf32>, memref<?xf32>, memref<?xf32>) outs(%y : memref<?x?xf32>) {
  ^bb0(%a: f32, %s: f32, %b: f32, %o: f32):
    %0 = arith.divf %a, %s : f32
    %1 = arith.mulf %0, %b : f32
    linalg.yield %1 : f32
  }
  return
}

// Few rows: all of a block for each.
// CHECK-LABEL: func.func @few_rows(
// CHECK:         gpu.launch blocks({{.*}}) in (%{{.*}} = %c2{{.*}}) threads({{.*}}) in (%{{.*}} = %c1024
// CHECK:           scf.for %{{.*}} step %c4096 iter_args
// CHECK:         } {jit.kernel = "rows", jit.registers = 64 : i64}
// CHECK-NOT:     gpu.launch
func.func @few_rows(%x: memref<2x?xf32>, %y: memref<2xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<2xf32>)
  linalg.reduce { arith.addf } ins(%x : memref<2x?xf32>) outs(%y : memref<2xf32>) dimensions = [1]
  linalg.map { math.sqrt } ins(%y : memref<2xf32>) outs(%y : memref<2xf32>)
  return
}

// What is checked of sizes on the way holds before the kernel starts.
// CHECK-LABEL: func.func @guarded(
// CHECK:         jit.guard
// CHECK:         gpu.launch
// CHECK:         } {jit.kernel = "rows", jit.registers = 128 : i64}
// CHECK-NOT:     gpu.launch
func.func @guarded(%x: memref<?x64xf32>, %w: memref<?xf32>, %y: memref<?x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?x64xf32>
  %k = memref.dim %w, %c0 : memref<?xf32>
  %sums = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<?xf32>)
  linalg.reduce { arith.addf } ins(%x : memref<?x64xf32>) outs(%sums : memref<?xf32>) dimensions = [1]
  %same = arith.cmpi eq, %n, %k : index
  jit.guard %same, "jit.UnequalSizes", "expected equal sizes"
  linalg.generic {indexing_maps = [#ij, #i, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sums, %w : memref<?x64xf32>, memref<?xf32>, memref<?xf32>) outs(%y : memref<?x64xf32>) {
  ^bb0(%a: f32, %s: f32, %b: f32, %o: f32):
    %0 = arith.divf %a, %s : f32
    %1 = arith.mulf %0, %b : f32
    linalg.yield %1 : f32
  }
  return
}

// Sizes that are not known to be the same are none.
// CHECK-LABEL: func.func @other_rows(
// CHECK:         } {jit.kernel = "rows"}
// CHECK:         } {jit.kernel = "pointwise"}
func.func @other_rows(%x: memref<?x64xf32>, %s: memref<?xf32>, %y: memref<?x64xf32>) {
  linalg.reduce { arith.addf } ins(%x : memref<?x64xf32>) outs(%s : memref<?xf32>) dimensions = [1]
  linalg.exp ins(%y : memref<?x64xf32>) outs(%y : memref<?x64xf32>)
  return
}
