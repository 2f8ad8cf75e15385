// RUN: jit-opt %s --jit-gpu-store-scalars --jit-gpu-map-kernels --canonicalize | FileCheck %s

// A number from a tensor goes to a cell; the kernel that uses it computes with it there.
// CHECK-LABEL: func.func @element(
// CHECK:         %[[CELL:.*]] = memref.alloc() : memref<f32>
// CHECK:         gpu.launch
// CHECK:           %[[V:.*]] = memref.load %arg0[%c0]
// CHECK:           memref.store %[[V]], %[[CELL]][]
// CHECK:         gpu.launch
// CHECK:           memref.load %[[CELL]][] {jit.cell}
// CHECK:           arith.mulf
// CHECK-NOT:     memref.load
// CHECK:         return
func.func @element(%x: memref<8xf32>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<8xf32>
  %s = arith.mulf %v, %v : f32
  linalg.fill ins(%s : f32) outs(%y : memref<8xf32>)
  return
}

// The host reads what it branches on.
// CHECK-LABEL: func.func @branch(
// CHECK:         %[[CELL:.*]] = memref.alloc() : memref<i1>
// CHECK:         gpu.launch
// CHECK:           arith.cmpf ogt
// CHECK:           memref.store %{{.*}}, %[[CELL]][]
// CHECK:         %[[READ:.*]] = memref.load %[[CELL]][] {jit.read}
// CHECK:         scf.if %[[READ]]
func.func @branch(%x: memref<8xf32>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %v = memref.load %x[%c0] : memref<8xf32>
  %c = arith.cmpf ogt, %v, %zero : f32
  scf.if %c {
    linalg.abs ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
  }
  return
}

// Two numbers that a loop carries change places: one kernel reads both before it stores either.
// CHECK-LABEL: func.func @swap(
// CHECK:         %[[A:.*]] = memref.alloc() : memref<f32>
// CHECK:         %[[B:.*]] = memref.alloc() : memref<f32>
// CHECK:         scf.for %{{[a-z0-9]+}} = %c0 to %c5 step %c1 {
// CHECK:           gpu.launch
// CHECK:           gpu.launch
// CHECK-NEXT:        %[[OLDB:.*]] = memref.load %[[B]][] {jit.cell}
// CHECK-NEXT:        %[[OLDA:.*]] = memref.load %[[A]][] {jit.cell}
// CHECK-NEXT:        memref.store %[[OLDB]], %[[A]][]
// CHECK-NEXT:        memref.store %[[OLDA]], %[[B]][]
// CHECK-NEXT:        gpu.terminator
func.func @swap(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %r:2 = scf.for %i = %c0 to %c5 step %c1 iter_args(%a = %one, %b = %two) -> (f32, f32) {
    linalg.abs ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
    scf.yield %b, %a : f32, f32
  }
  memref.store %r#0, %z[] : memref<f32>
  return
}

// A loop of nothing but numbers is one thread's work as a whole.
// CHECK-LABEL: func.func @serial(
// CHECK:         gpu.launch
// CHECK:           scf.for
// CHECK:             memref.load %arg0
// CHECK:             memref.store %{{.*}}, %arg1
// CHECK:         gpu.terminator
func.func @serial(%x: memref<8xf32>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %v = memref.load %x[%i] : memref<8xf32>
    memref.store %v, %y[%i] : memref<8xf32>
  }
  return
}
