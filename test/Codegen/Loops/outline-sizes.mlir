// RUN: jit-opt %s --jit-emit-entry --jit-outline-parallel --jit-outline-loops=largest=1 --canonicalize --split-input-file | FileCheck %s

// Loops that differ in sizes alone share a function. What differs comes from a table, by what divides it in all; what does not is a
// constant.
// CHECK-LABEL: func.func @rows(
// CHECK-DAG:     llvm.mlir.addressof @rows.loop0.sizes0
// CHECK-DAG:     llvm.mlir.addressof @rows.loop0.sizes1
// CHECK-COUNT-2: call @rows.loop0(
// CHECK-DAG:   llvm.mlir.global internal constant @rows.loop0.sizes0(dense<[13, 1]> : tensor<2xi64>)
// CHECK-DAG:   llvm.mlir.global internal constant @rows.loop0.sizes1(dense<[20, 3]> : tensor<2xi64>)
// CHECK:       func.func private @rows.loop0(%[[CLOSURE:.*]]: !llvm.ptr)
// CHECK-DAG:     %[[SIXTEEN:.*]] = arith.constant 16 : index
// CHECK-DAG:     %[[EIGHT:.*]] = arith.constant 8 : index
// CHECK-DAG:     %[[WORD:.*]] = llvm.getelementptr %[[CLOSURE]][2]
// CHECK:         llvm.load %[[WORD]] : !llvm.ptr -> !llvm.ptr
// CHECK:         %[[ROWS:.*]] = arith.index_cast %{{.*}} : i64 to index
// CHECK:         %[[COUNT:.*]] = arith.index_cast %{{.*}} : i64 to index
// CHECK:         %[[LENGTH:.*]] = arith.muli %[[COUNT]], %[[EIGHT]] overflow<nsw, nuw>
// CHECK:         scf.for %[[I:.*]] = %{{.*}} to %[[ROWS]]
// CHECK:           scf.for %[[J:.*]] = %{{.*}} to %[[SIXTEEN]]
// CHECK:             %[[START:.*]] = arith.muli %[[I]], %[[LENGTH]] overflow<nsw, nuw>
// CHECK:             arith.addi %[[START]], %[[J]]
func.func @rows(%s: f64, %arena: memref<8192xi8> {jit.arena}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c13 = arith.constant 13 : index
  %c16 = arith.constant 16 : index
  %c20 = arith.constant 20 : index
  %c4096 = arith.constant 4096 : index
  %f = arith.truncf %s : f64 to f32
  %x = memref.view %arena[%c0][] : memref<8192xi8> to memref<13x8xf32>
  %y = memref.view %arena[%c4096][] : memref<8192xi8> to memref<20x24xf32>
  scf.for %i = %c0 to %c13 step %c1 {
    scf.for %j = %c0 to %c16 step %c1 {
      memref.store %f, %x[%i, %j] : memref<13x8xf32>
    }
  }
  scf.for %i = %c0 to %c20 step %c1 {
    scf.for %j = %c0 to %c16 step %c1 {
      memref.store %f, %y[%i, %j] : memref<20x24xf32>
    }
  }
  return
}

// -----

// Steps are part of the shape: vectors have constant lengths.
// CHECK-LABEL: func.func @steps(
// CHECK:         call @steps.loop0(
// CHECK:         call @steps.loop1(
func.func @steps(%s: f64, %arena: memref<256xi8> {jit.arena}) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %f = arith.truncf %s : f64 to f32
  %x = memref.view %arena[%c0][] : memref<256xi8> to memref<16xf32>
  %y = memref.view %arena[%c64][] : memref<256xi8> to memref<16xf32>
  scf.for %i = %c0 to %c16 step %c4 {
    memref.store %f, %x[%i] : memref<16xf32>
  }
  scf.for %i = %c0 to %c16 step %c8 {
    memref.store %f, %y[%i] : memref<16xf32>
  }
  return
}
