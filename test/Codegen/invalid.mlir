// RUN: jit-opt %s --split-input-file --allow-unregistered-dialect --verify-diagnostics --jit-destination-style --jit-plan-memory --jit-lower-structured --jit-emit-entry

func.func @noRank(%x: tensor<*xf32>) -> i64 { // expected-error {{expected a tensor or a number, got 'tensor<*xf32>'}}
  %n = arith.constant 0 : i64
  return %n : i64
}

// -----

func.func @stridedAllocation() {
  %a = memref.alloc() : memref<4xf32, strided<[2]>> // expected-error {{expected an identity layout, got 'memref<4xf32, strided<[2]>>'}}
  return
}

// -----

func.func @beyondTheAddressSpace() {
  %a = memref.alloc() : memref<35184372088832x4xf32> // expected-error {{expected a buffer of at most 140737488355328 bytes, got 'memref<35184372088832x4xf32>'}}
  return
}

// -----

func.func @carried(%x: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (memref<4xf32>) {
    // expected-note @+1 {{this version has no code for it}}
    %b = memref.alloc() : memref<4xf32> // expected-error {{expected a buffer that stays within one iteration of its loop}}
    memref.copy %a, %b : memref<4xf32> to memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  return
}

// -----

func.func @scalar(%n: i32) { // expected-error {{expected an argument of type memref, i64, f64 or i1, got 'i32'}}
  "test.use"(%n) : (i32) -> ()
  return
}
