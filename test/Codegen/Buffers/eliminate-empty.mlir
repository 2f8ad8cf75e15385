// RUN: jit-opt %s --jit-eliminate-empty --split-input-file | FileCheck %s

// What one arm of a branch puts into a part of open size is not computed there: in the other arm it has another size.
// CHECK-LABEL: func.func @open
//       CHECK: %[[EMPTY:.*]] = tensor.empty(
//       CHECK: linalg.exp {{.*}} outs(%[[EMPTY]]
//       CHECK: scf.if
func.func @open(%x: tensor<?xf32>, %y: tensor<?x?xf32>, %c: i1, %n: index, %m: index) -> (tensor<?xf32>, tensor<?x?xf32>) {
  %empty = tensor.empty(%n) : tensor<?xf32>
  %e = linalg.exp ins(%x : tensor<?xf32>) outs(%empty : tensor<?xf32>) -> tensor<?xf32>
  %r = scf.if %c -> tensor<?x?xf32> {
    %i = tensor.insert_slice %e into %y[1, 0] [1, %m] [1, 1] : tensor<?xf32> into tensor<?x?xf32>
    scf.yield %i : tensor<?x?xf32>
  } else {
    scf.yield %y : tensor<?x?xf32>
  }
  return %e, %r : tensor<?xf32>, tensor<?x?xf32>
}

// -----

// A known size is the part's in any case, and what is always put there has its size.
// CHECK-LABEL: func.func @known
//       CHECK: %[[P:.*]] = tensor.extract_slice %{{.*}}[1, 0] [1, 4] [1, 1] : tensor<4x4xf32> to tensor<4xf32>
//       CHECK: linalg.exp {{.*}} outs(%[[P]]
func.func @known(%x: tensor<4xf32>, %y: tensor<4x4xf32>, %c: i1) -> tensor<4x4xf32> {
  %empty = tensor.empty() : tensor<4xf32>
  %e = linalg.exp ins(%x : tensor<4xf32>) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  %r = scf.if %c -> tensor<4x4xf32> {
    %i = tensor.insert_slice %e into %y[1, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<4x4xf32>
    scf.yield %i : tensor<4x4xf32>
  } else {
    scf.yield %y : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}

// -----

// CHECK-LABEL: func.func @always
//       CHECK: %[[P:.*]] = tensor.extract_slice %{{.*}}[1, 0] [1, %{{.*}}] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
//       CHECK: linalg.exp {{.*}} outs(%[[P]]
func.func @always(%x: tensor<?xf32>, %y: tensor<?x?xf32>, %n: index) -> tensor<?x?xf32> {
  %empty = tensor.empty(%n) : tensor<?xf32>
  %e = linalg.exp ins(%x : tensor<?xf32>) outs(%empty : tensor<?xf32>) -> tensor<?xf32>
  %i = tensor.insert_slice %e into %y[1, 0] [1, %n] [1, 1] : tensor<?xf32> into tensor<?x?xf32>
  return %i : tensor<?x?xf32>
}

// -----

// What a loop begins with, too, is dense.
// CHECK-LABEL: func.func @begins
//   CHECK-NOT: tensor.extract_slice
//       CHECK: %[[EMPTY:.*]] = tensor.empty()
//       CHECK: %[[E:.*]] = linalg.exp {{.*}} outs(%[[EMPTY]]
//       CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[E]])
func.func @begins(%x: tensor<4x4xf32>, %y: tensor<4x8xf32>, %n: index) -> (tensor<4x8xf32>, tensor<4x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %empty = tensor.empty() : tensor<4x4xf32>
  %e = linalg.exp ins(%x : tensor<4x4xf32>) outs(%empty : tensor<4x4xf32>) -> tensor<4x4xf32>
  %i = tensor.insert_slice %e into %y[0, 0] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<4x8xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %e) -> tensor<4x4xf32> {
    %v = tensor.extract %a[%c0, %k] : tensor<4x4xf32>
    %s = tensor.insert %v into %a[%k, %c0] : tensor<4x4xf32>
    scf.yield %s : tensor<4x4xf32>
  }
  return %i, %r : tensor<4x8xf32>, tensor<4x4xf32>
}

// -----

// A branch gives a tensor and what is put into it behind the branch: in the branch there is no such tensor yet.
// CHECK-LABEL: func.func @given_together
//       CHECK: %[[EMPTY:.*]] = tensor.empty()
//       CHECK: %[[R:.*]]:2 = scf.if
//       CHECK: linalg.exp {{.*}} outs(%[[EMPTY]]
//       CHECK: tensor.insert_slice %[[R]]#0 into %[[R]]#1
func.func @given_together(%x: tensor<4xf32>, %y: tensor<4x4xf32>, %z: tensor<4x4xf32>, %c: i1) -> tensor<4x4xf32> {
  %empty = tensor.empty() : tensor<4xf32>
  %r:2 = scf.if %c -> (tensor<4xf32>, tensor<4x4xf32>) {
    %e = linalg.exp ins(%x : tensor<4xf32>) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %e, %y : tensor<4xf32>, tensor<4x4xf32>
  } else {
    scf.yield %x, %z : tensor<4xf32>, tensor<4x4xf32>
  }
  %i = tensor.insert_slice %r#0 into %r#1[1, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<4x4xf32>
  return %i : tensor<4x4xf32>
}

// -----

// Behind a check the place may be none: what is put there is not computed there before.
// CHECK-LABEL: func.func @checked
//       CHECK: %[[EMPTY:.*]] = tensor.empty()
//       CHECK: linalg.exp {{.*}} outs(%[[EMPTY]]
//       CHECK: jit.guard
//       CHECK: tensor.insert_slice
func.func @checked(%x: tensor<4xf32>, %y: tensor<4x4xf32>, %i: index, %c0: index) -> tensor<4x4xf32> {
  %empty = tensor.empty() : tensor<4xf32>
  %e = linalg.exp ins(%x : tensor<4xf32>) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  %v = tensor.extract %e[%c0] : tensor<4xf32>
  %ok = arith.cmpf ogt, %v, %v : f32
  jit.guard %ok, "builtins.ValueError", "no"
  %r = tensor.insert_slice %e into %y[%i, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// -----

// Nor is the tensor that it is put into made before the check of what that is made of.
// CHECK-LABEL: func.func @made_behind
//       CHECK: linalg.exp
//       CHECK: jit.guard
//       CHECK: linalg.log
//       CHECK: tensor.insert_slice
func.func @made_behind(%x: tensor<4xf32>, %y: tensor<4x4xf32>, %ok: i1) -> tensor<4x4xf32> {
  %empty = tensor.empty() : tensor<4xf32>
  %e = linalg.exp ins(%x : tensor<4xf32>) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  jit.guard %ok, "builtins.ValueError", "no"
  %all = tensor.empty() : tensor<4x4xf32>
  %l = linalg.log ins(%y : tensor<4x4xf32>) outs(%all : tensor<4x4xf32>) -> tensor<4x4xf32>
  %r = tensor.insert_slice %e into %l[1, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// -----

// A part that is known to be there needs no check.
// CHECK-LABEL: func.func @fixed
//       CHECK: %[[P:.*]] = tensor.extract_slice
//       CHECK: linalg.exp {{.*}} outs(%[[P]]
//       CHECK: jit.guard
func.func @fixed(%x: tensor<4xf32>, %y: tensor<4x4xf32>, %ok: i1) -> tensor<4x4xf32> {
  %empty = tensor.empty() : tensor<4xf32>
  %e = linalg.exp ins(%x : tensor<4xf32>) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  jit.guard %ok, "builtins.ValueError", "no"
  %r = tensor.insert_slice %e into %y[1, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
