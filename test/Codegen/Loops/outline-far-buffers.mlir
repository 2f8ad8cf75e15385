// RUN: jit-opt %s --jit-emit-entry --jit-outline-parallel --jit-outline-loops=largest=1 | FileCheck %s

// A buffer that begins farther behind the arena's start than an operation's own constants reach is found by a constant beside it.
// CHECK-LABEL: func.func @forward(
// CHECK:         %[[OFFSET:.*]] = llvm.mlir.constant(288000000 : i64) : i64
// CHECK:         llvm.getelementptr %{{.*}}[%[[OFFSET]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
func.func @forward(%x: memref<1048576xf32>, %arena: memref<292194304xi8> {jit.arena}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.constant 1048576 : index
  %far = arith.constant 288000000 : index
  %a = memref.view %arena[%far][] : memref<292194304xi8> to memref<1048576xf32>
  scf.parallel (%i) = (%c0) to (%end) step (%c1) {
    %v = memref.load %x[%i] : memref<1048576xf32>
    memref.store %v, %a[%i] : memref<1048576xf32>
    scf.reduce
  }
  return
}
