// RUN: jit-opt %s --split-input-file --verify-diagnostics

func.func @types(%x: !jit.tensor) {
  // expected-error @below {{expected a type as written for each of 1 results, got 2}}
  %0 = jit.opaque "mine::a"(%x) because "why" {types = ["Tensor", "int"]} : (!jit.tensor) -> !jit.tensor
  return
}

// -----

func.func @isolated(%x: !jit.tensor) {
  // expected-error @below {{expected the region of the graph beside the node, got none}}
  jit.opaque "mine::a"(%x) because "why" {isolated, types = []} : (!jit.tensor) -> ()
  return
}

// -----

func.func @block(%x: !jit.tensor) {
  // expected-error @below {{expected blocks that end in jit.opaque_yield, got one that ends in func.return}}
  jit.opaque "mine::a"(%x) because "why" {types = []} : (!jit.tensor) -> () {
    func.return
  }
  return
}
