// RUN: jit-opt %s --jit-carry-in-place --split-input-file | FileCheck %s

// What a trip hands on in another size is carried as a buffer. All copies are made before the first is stored.
// CHECK-LABEL: func.func @loop(
// CHECK-SAME:    %[[X:.*]]: tensor<?xf32>, %[[Y:.*]]: tensor<?xf32>
// CHECK:         %[[I:.*]] = memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK:         bufferization.materialize_in_destination %[[X]] in restrict writable %[[I]]
// CHECK:         %[[J:.*]] = memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK:         bufferization.materialize_in_destination %[[Y]] in restrict writable %[[J]]
// CHECK:         %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[M:.*]] = %[[I]], %[[O:.*]] = %[[J]])
// CHECK-DAG:       %[[A:.*]] = bufferization.to_tensor %[[M]] restrict
// CHECK-DAG:       %[[B:.*]] = bufferization.to_tensor %[[O]] restrict
// CHECK:           %[[C:.*]] = linalg.copy ins(%[[B]]
// CHECK:           %[[D:.*]] = linalg.copy ins(%[[A]]
// CHECK:           %[[P:.*]] = builtin.unrealized_conversion_cast %{{.*}} {jit.open_carried = 0 : i64}
// CHECK:           bufferization.materialize_in_destination %[[C]] in restrict writable %[[P]]
// CHECK:           %[[Q:.*]] = builtin.unrealized_conversion_cast %{{.*}} {jit.open_carried = 1 : i64}
// CHECK:           bufferization.materialize_in_destination %[[D]] in restrict writable %[[Q]]
// CHECK:           scf.yield %[[P]], %[[Q]]
// CHECK:         %[[T:.*]] = bufferization.to_tensor %[[R]]#0 restrict
// CHECK:         return %[[T]]
func.func @loop(%x: tensor<?xf32>, %y: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<?xf32>, tensor<?xf32>) {
    %c = bufferization.alloc_tensor() copy(%b) : tensor<?xf32>
    %d = bufferization.alloc_tensor() copy(%a) : tensor<?xf32>
    scf.yield %c, %d : tensor<?xf32>, tensor<?xf32>
  }
  return %r#0 : tensor<?xf32>
}

// -----

// A loop that asks last has its condition, its body and its result read the buffer.
// CHECK-LABEL: func.func @asks
// CHECK:         %[[R:.*]] = scf.while (%[[M:.*]] = %{{.*}}) : (memref<?xf32>) -> memref<?xf32>
// CHECK:           bufferization.to_tensor %[[M]] restrict
// CHECK:           scf.condition(%{{.*}}) %[[M]] : memref<?xf32>
// CHECK:         ^bb0(%[[N:.*]]: memref<?xf32>):
// CHECK:           %[[A:.*]] = bufferization.to_tensor %[[N]] restrict
// CHECK:           tensor.extract_slice %[[A]][1]
// CHECK:           scf.yield %{{.*}} : memref<?xf32>
// CHECK:         bufferization.to_tensor %[[R]] restrict
func.func @asks(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.while (%a = %x) : (tensor<?xf32>) -> tensor<?xf32> {
    %d = tensor.dim %a, %c0 : tensor<?xf32>
    %more = arith.cmpi ugt, %d, %c1 : index
    scf.condition(%more) %a : tensor<?xf32>
  } do {
  ^bb0(%b: tensor<?xf32>):
    %d = tensor.dim %b, %c0 : tensor<?xf32>
    %e = arith.subi %d, %c1 : index
    %s = tensor.extract_slice %b[1] [%e] [1] : tensor<?xf32> to tensor<?xf32>
    %c = bufferization.alloc_tensor() copy(%s) : tensor<?xf32>
    scf.yield %c : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----

// What a loop begins with is copied once, into the first buffer.
// CHECK-LABEL: func.func @begins
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>
// CHECK:         %[[C:.*]] = tensor.cast %[[X]]
// CHECK:         %[[I:.*]] = memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK:         bufferization.materialize_in_destination %[[C]] in restrict writable %[[I]]
// CHECK:         scf.for {{.*}} iter_args(%{{.*}} = %[[I]])
func.func @begins(%x: tensor<4xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %cast = tensor.cast %x : tensor<4xf32> to tensor<?xf32>
  %init = bufferization.alloc_tensor() copy(%cast) : tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %init) -> (tensor<?xf32>) {
    %s = tensor.extract_slice %a[0] [%i] [1] : tensor<?xf32> to tensor<?xf32>
    %d = bufferization.alloc_tensor() copy(%s) : tensor<?xf32>
    scf.yield %d : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----

// A copy of what a variable of one size was is made before that variable is written.
// CHECK-LABEL: func.func @swaps
// CHECK:         scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %{{.*}} = %{{.*}})
// CHECK:           %[[C:.*]] = tensor.cast %[[A]]
// CHECK:           %[[D:.*]] = linalg.copy ins(%[[C]]
// CHECK:           bufferization.materialize_in_destination %{{.*}} in %[[A]]
// CHECK:           bufferization.materialize_in_destination %[[D]] in restrict writable
func.func @swaps(%x: tensor<4xf32>, %y: tensor<?xf32>, %n: index) -> (tensor<4xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<4xf32>, tensor<?xf32>) {
    %e = tensor.empty() : tensor<4xf32>
    %f = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %c = tensor.cast %a : tensor<4xf32> to tensor<?xf32>
    %d = bufferization.alloc_tensor() copy(%c) : tensor<?xf32>
    scf.yield %f, %d : tensor<4xf32>, tensor<?xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<?xf32>
}
