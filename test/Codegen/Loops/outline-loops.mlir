// RUN: jit-opt %s --jit-emit-entry --jit-outline-parallel --jit-outline-loops=largest=1 --canonicalize --split-input-file | FileCheck %s

// Loops that do the same share a function, wherever in memory they do it: they are handed the places.
// CHECK-LABEL: func.func @twice(
// CHECK:         %[[FIRST:.*]] = llvm.alloca
// CHECK:         %[[SECOND:.*]] = llvm.alloca
// CHECK:         call @twice.loop0(%[[SECOND]]) : (!llvm.ptr) -> ()
// CHECK:         llvm.getelementptr %{{.*}}[64] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK:         call @twice.loop0(%[[FIRST]]) : (!llvm.ptr) -> ()
// CHECK-LABEL: func.func private @twice.loop0(
// CHECK-SAME:    attributes {no_inline}
// CHECK:         scf.for
// CHECK:           memref.store
// CHECK-NOT:   func.func private
func.func @twice(%s: f64, %arena: memref<256xi8> {jit.arena}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %f = arith.truncf %s : f64 to f32
  %x = memref.view %arena[%c0][] : memref<256xi8> to memref<16xf32>
  %y = memref.view %arena[%c64][] : memref<256xi8> to memref<16xf32>
  scf.for %i = %c0 to %c16 step %c1 {
    memref.store %f, %x[%i] : memref<16xf32>
  }
  scf.for %i = %c0 to %c16 step %c1 {
    memref.store %f, %y[%i] : memref<16xf32>
  }
  return
}

// -----

// Two places that share bytes are no memory of their own: the arena travels, they are made again.
// CHECK-LABEL: func.func private @overlap.loop0(
// CHECK:         %[[ROOT:.*]] = builtin.unrealized_conversion_cast %{{.*}} to memref<1xi8> {jit.root}
// CHECK-NOT:     jit.root
// CHECK:         %[[ARENA:.*]] = memref.reinterpret_cast %[[ROOT]] to offset: [0], sizes: [256]
// CHECK:         memref.view %[[ARENA]]
// CHECK:         memref.view %[[ARENA]]
func.func @overlap(%arena: memref<256xi8> {jit.arena}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %x = memref.view %arena[%c0][] : memref<256xi8> to memref<16xf32>
  %y = memref.view %arena[%c32][] : memref<256xi8> to memref<16xf32>
  scf.for %i = %c0 to %c16 step %c1 {
    %e = memref.load %x[%i] : memref<16xf32>
    memref.store %e, %y[%i] : memref<16xf32>
  }
  return
}

// -----

// A guard ends the call from the entry itself; what else is in its loop becomes a function.
// CHECK-LABEL: func.func @guarded(
// CHECK:         scf.for
// CHECK:           jit.guard
// CHECK:           call @guarded.loop0
// CHECK-LABEL: func.func private @guarded.loop0(
// CHECK-NOT:     jit.guard
func.func @guarded(%x: memref<16xf32>, %n: i64, %s: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0 : i64
  %f = arith.truncf %s : f64 to f32
  scf.for %i = %c0 to %c16 step %c1 {
    %number = arith.index_cast %i : index to i64
    %ok = arith.cmpi sge, %n, %number : i64
    jit.guard %ok, "builtins.ValueError", "expected more"
    scf.for %j = %c0 to %c16 step %c1 {
      memref.store %f, %x[%j] : memref<16xf32>
    }
  }
  return
}

// -----

// What one vector ties together is one function.
// CHECK-LABEL: func.func @tied(
// CHECK-NOT:     scf.for
// CHECK:         call @tied.loop0
// CHECK-NOT:     scf.for
// CHECK-LABEL: func.func private @tied.loop0(
// CHECK:         vector.load
// CHECK:         scf.for
// CHECK:         vector.store
func.func @tied(%x: memref<64xf32>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %start = vector.load %y[%c0] : memref<16xf32>, vector<16xf32>
  %sum = scf.for %i = %c0 to %c64 step %c16 iter_args(%acc = %start) -> vector<16xf32> {
    %e = vector.load %x[%i] : memref<64xf32>, vector<16xf32>
    %next = arith.addf %acc, %e : vector<16xf32>
    scf.yield %next : vector<16xf32>
  }
  vector.store %sum, %y[%c0] : memref<16xf32>, vector<16xf32>
  return
}

// -----

// What is made of a loop's sum goes where the loop goes.
// CHECK-LABEL: func.func @sum(
// CHECK-NOT:     scf.for
// CHECK:         call @sum.loop0
// CHECK-LABEL: func.func private @sum.loop0(
// CHECK:         %[[SUM:.*]] = scf.for
// CHECK:         %[[MEAN:.*]] = arith.divf %[[SUM]]
// CHECK:         memref.store %[[MEAN]]
func.func @sum(%x: memref<16xf32>, %y: memref<1xf32> {jit.result = 0 : i64}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 16.0 : f32
  %sum = scf.for %i = %c0 to %c16 step %c1 iter_args(%s = %zero) -> (f32) {
    %e = memref.load %x[%i] : memref<16xf32>
    %next = arith.addf %s, %e : f32
    scf.yield %next : f32
  }
  %mean = arith.divf %sum, %count : f32
  memref.store %mean, %y[%c0] : memref<1xf32>
  return
}
