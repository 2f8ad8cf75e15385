// RUN: jit-opt %s --jit-in-place-results | FileCheck %s

// A row of a cache, which is state: it is written where it lies.
// CHECK-LABEL: func.func @state(
//  CHECK-SAME:   -> (tensor<4xf32>, tensor<8x4xf32> {jit.in_place = 1 : i64})
func.func @state(%x: tensor<4xf32> {jit.arg = array<i64: 0>}, %k: tensor<8x4xf32> {jit.arg = array<i64>, jit.slot = "k"})
    -> (tensor<4xf32>, tensor<8x4xf32>) attributes {jit.outputs = [{value = 0 : i64}, {slot = "k", value = 1 : i64}]} {
  %old = tensor.extract_slice %k[5, 0] [1, 4] [1, 1] : tensor<8x4xf32> to tensor<4xf32>
  %empty = tensor.empty() : tensor<4xf32>
  %sum = linalg.add ins(%old, %x : tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  %new = tensor.insert_slice %sum into %k[5, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<8x4xf32>
  return %sum, %new : tensor<4xf32>, tensor<8x4xf32>
}

// An argument that the program writes in a loop, and again in a branch.
// CHECK-LABEL: func.func @argument(
//  CHECK-SAME:   -> (tensor<8xf32> {jit.in_place = 0 : i64})
func.func @argument(%k: tensor<8xf32> {jit.arg = array<i64: 0>}, %x: f32 {jit.arg = array<i64: 1>}, %c: i1 {jit.arg = array<i64: 2>})
    -> tensor<8xf32> attributes {jit.outputs = [{value = unit}, {mutates = array<i64: 0>, value = 0 : i64}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %loop = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %k) -> tensor<8xf32> {
    %next = tensor.insert %x into %t[%i] : tensor<8xf32>
    scf.yield %next : tensor<8xf32>
  }
  %branch = scf.if %c -> tensor<8xf32> {
    %set = tensor.insert %x into %loop[%c4] : tensor<8xf32>
    scf.yield %set : tensor<8xf32>
  } else {
    scf.yield %loop : tensor<8xf32>
  }
  return %branch : tensor<8xf32>
}

// In a loop that data end.
// CHECK-LABEL: func.func @while(
//       CHECK:   {jit.in_place = 0 : i64}
func.func @while(%k: tensor<8xf32> {jit.arg = array<i64: 0>}, %x: f32 {jit.arg = array<i64: 1>})
    -> tensor<8xf32> attributes {jit.outputs = [{value = unit}, {mutates = array<i64: 0>, value = 0 : i64}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %loop:2 = scf.while (%i = %c0, %t = %k) : (index, tensor<8xf32>) -> (index, tensor<8xf32>) {
    %more = arith.cmpi slt, %i, %c4 : index
    scf.condition(%more) %i, %t : index, tensor<8xf32>
  } do {
  ^bb0(%i: index, %t: tensor<8xf32>):
    %set = tensor.insert %x into %t[%i] : tensor<8xf32>
    %next = arith.addi %i, %c1 : index
    scf.yield %next, %set : index, tensor<8xf32>
  }
  return %loop#1 : tensor<8xf32>
}

// A number that a loop carries is no memory.
// CHECK-LABEL: func.func @number(
//   CHECK-NOT:   jit.in_place
func.func @number(%n: i64 {jit.arg = array<i64>, jit.slot = "n"})
    -> i64 attributes {jit.outputs = [{value = unit}, {slot = "n", value = 0 : i64}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %loop = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %n) -> i64 {
    %next = arith.addi %t, %t : i64
    scf.yield %next : i64
  }
  return %loop : i64
}

// What was there is a result, too: it may not be overwritten.
// CHECK-LABEL: func.func @old_value(
//   CHECK-NOT:   jit.in_place
func.func @old_value(%x: tensor<4xf32> {jit.arg = array<i64: 0>}, %k: tensor<8x4xf32> {jit.arg = array<i64>, jit.slot = "k"})
    -> (tensor<4xf32>, tensor<8x4xf32>) attributes {jit.outputs = [{value = 0 : i64}, {slot = "k", value = 1 : i64}]} {
  %old = tensor.extract_slice %k[5, 0] [1, 4] [1, 1] : tensor<8x4xf32> to tensor<4xf32>
  %new = tensor.insert_slice %x into %k[5, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<8x4xf32>
  return %old, %new : tensor<4xf32>, tensor<8x4xf32>
}

// The rows move: the write reads what it overwrites.
// CHECK-LABEL: func.func @moved(
//   CHECK-NOT:   jit.in_place
func.func @moved(%k: tensor<8x4xf32> {jit.arg = array<i64>, jit.slot = "k"})
    -> tensor<8x4xf32> attributes {jit.outputs = [{value = unit}, {slot = "k", value = 0 : i64}]} {
  %rows = tensor.extract_slice %k[0, 0] [7, 4] [1, 1] : tensor<8x4xf32> to tensor<7x4xf32>
  %new = tensor.insert_slice %rows into %k[1, 0] [7, 4] [1, 1] : tensor<7x4xf32> into tensor<8x4xf32>
  return %new : tensor<8x4xf32>
}

// The caller gets the new value as a result, too: its memory has to be one of its own.
// CHECK-LABEL: func.func @given(
//   CHECK-NOT:   jit.in_place
func.func @given(%x: tensor<4xf32> {jit.arg = array<i64: 0>}, %k: tensor<8x4xf32> {jit.arg = array<i64>, jit.slot = "k"})
    -> tensor<8x4xf32> attributes {jit.outputs = [{value = 0 : i64}, {slot = "k", value = 0 : i64}]} {
  %new = tensor.insert_slice %x into %k[5, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<8x4xf32>
  return %new : tensor<8x4xf32>
}

// A call that fails leaves the state as it was: what is checked before the write does not matter, what is checked after it does.
// CHECK-LABEL: func.func @checked_before(
//       CHECK:   {jit.in_place = 1 : i64}
func.func @checked_before(%x: tensor<4xf32> {jit.arg = array<i64: 0>}, %k: tensor<8x4xf32> {jit.arg = array<i64>, jit.slot = "k"}, %c: i1 {jit.arg = array<i64: 1>})
    -> tensor<8x4xf32> attributes {jit.outputs = [{value = unit}, {slot = "k", value = 0 : i64}]} {
  jit.guard %c, "builtins.ValueError", "expected it"
  %new = tensor.insert_slice %x into %k[5, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<8x4xf32>
  return %new : tensor<8x4xf32>
}
// CHECK-LABEL: func.func @checked_after(
//   CHECK-NOT:   jit.in_place
func.func @checked_after(%x: tensor<4xf32> {jit.arg = array<i64: 0>}, %k: tensor<8x4xf32> {jit.arg = array<i64>, jit.slot = "k"}, %c: i1 {jit.arg = array<i64: 1>})
    -> tensor<8x4xf32> attributes {jit.outputs = [{value = unit}, {slot = "k", value = 0 : i64}]} {
  %new = tensor.insert_slice %x into %k[5, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<8x4xf32>
  jit.guard %c, "builtins.ValueError", "expected it"
  return %new : tensor<8x4xf32>
}

// Data tell how many elements another result has: the caller may have given memory for others.
// CHECK-LABEL: func.func @sizes_of_data(
//   CHECK-NOT:   jit.in_place
func.func @sizes_of_data(%x: tensor<4xf32> {jit.arg = array<i64: 0>}, %n: tensor<i64> {jit.arg = array<i64: 1>}, %k: tensor<8x4xf32> {jit.arg = array<i64>, jit.slot = "k"})
    -> (tensor<?xf32>, tensor<8x4xf32>) attributes {jit.outputs = [{value = 0 : i64}, {slot = "k", value = 1 : i64}]} {
  %new = tensor.insert_slice %x into %k[5, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<8x4xf32>
  %count = tensor.extract %n[] : tensor<i64>
  %size = arith.index_cast %count : i64 to index
  %zero = arith.constant 0.0 : f32
  %zeros = tensor.splat %zero[%size] : tensor<?xf32>
  return %zeros, %new : tensor<?xf32>, tensor<8x4xf32>
}

// Of open sizes that arguments tell, the memory is there before anything is written.
// CHECK-LABEL: func.func @sizes_of_arguments(
//       CHECK:   {jit.in_place = 1 : i64}
func.func @sizes_of_arguments(%x: tensor<?xf32> {jit.arg = array<i64: 0>}, %k: tensor<8xf32> {jit.arg = array<i64>, jit.slot = "k"}, %at: i64 {jit.arg = array<i64: 1>})
    -> (tensor<?xf32>, tensor<8xf32>) attributes {jit.outputs = [{value = 0 : i64}, {slot = "k", value = 1 : i64}]} {
  %place = arith.index_cast %at : i64 to index
  %zero = arith.constant 0.0 : f32
  %new = tensor.insert %zero into %k[%place] : tensor<8xf32>
  return %x, %new : tensor<?xf32>, tensor<8xf32>
}

// Of a forward function the backward one may ask for what was there.
// CHECK-LABEL: func.func @gradients(
//   CHECK-NOT:   jit.in_place
func.func @gradients(%x: tensor<4xf32> {jit.arg = array<i64: 0>}, %k: tensor<8x4xf32> {jit.arg = array<i64>, jit.slot = "k"})
    -> (tensor<8x4xf32>, tensor<4xf32>) attributes {jit.outputs = [{value = unit}, {slot = "k", value = 0 : i64}, {residual = 0 : i64, value = 1 : i64}]} {
  %new = tensor.insert_slice %x into %k[5, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<8x4xf32>
  return %new, %x : tensor<8x4xf32>, tensor<4xf32>
}

// An argument that is computed anew, from its elements in the same places.
// CHECK-LABEL: func.func @by_element(
//       CHECK:   {jit.in_place = 0 : i64}
func.func @by_element(%k: tensor<8xf32> {jit.arg = array<i64: 0>})
    -> tensor<8xf32> attributes {jit.outputs = [{value = unit}, {mutates = array<i64: 0>, value = 0 : i64}]} {
  %empty = tensor.empty() : tensor<8xf32>
  %sum = linalg.add ins(%k, %k : tensor<8xf32>, tensor<8xf32>) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
  return %sum : tensor<8xf32>
}

// Of open size: only the call tells that there are as many new elements as old ones.
// CHECK-LABEL: func.func @by_element_of_open_size(
//   CHECK-NOT:   jit.in_place
func.func @by_element_of_open_size(%k: tensor<?xf32> {jit.arg = array<i64: 0>}, %n: i64 {jit.arg = array<i64: 1>})
    -> tensor<?xf32> attributes {jit.outputs = [{value = unit}, {mutates = array<i64: 0>, value = 0 : i64}]} {
  %size = arith.index_cast %n : i64 to index
  %empty = tensor.empty(%size) : tensor<?xf32>
  %sum = linalg.add ins(%k, %k : tensor<?xf32>, tensor<?xf32>) outs(%empty : tensor<?xf32>) -> tensor<?xf32>
  return %sum : tensor<?xf32>
}

// From its elements in other places.
// CHECK-LABEL: func.func @transposed(
//   CHECK-NOT:   jit.in_place
func.func @transposed(%k: tensor<8x8xf32> {jit.arg = array<i64: 0>})
    -> tensor<8x8xf32> attributes {jit.outputs = [{value = unit}, {mutates = array<i64: 0>, value = 0 : i64}]} {
  %empty = tensor.empty() : tensor<8x8xf32>
  %sum = linalg.transpose ins(%k : tensor<8x8xf32>) outs(%empty : tensor<8x8xf32>) permutation = [1, 0]
  return %sum : tensor<8x8xf32>
}

// Something else needs the old value later.
// CHECK-LABEL: func.func @by_element_read_later(
//   CHECK-NOT:   jit.in_place
func.func @by_element_read_later(%k: tensor<8xf32> {jit.arg = array<i64: 0>})
    -> (tensor<8xf32>, tensor<8xf32>) attributes {jit.outputs = [{value = 1 : i64}, {mutates = array<i64: 0>, value = 0 : i64}]} {
  %empty = tensor.empty() : tensor<8xf32>
  %sum = linalg.add ins(%k, %k : tensor<8xf32>, tensor<8xf32>) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
  %other = linalg.mul ins(%k, %sum : tensor<8xf32>, tensor<8xf32>) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
  return %sum, %other : tensor<8xf32>, tensor<8xf32>
}

// All of a slot is new: its two sides take turns.
// CHECK-LABEL: func.func @computed(
//   CHECK-NOT:   jit.in_place
func.func @computed(%k: tensor<8xf32> {jit.arg = array<i64>, jit.slot = "k"})
    -> tensor<8xf32> attributes {jit.outputs = [{value = unit}, {slot = "k", value = 0 : i64}]} {
  %empty = tensor.empty() : tensor<8xf32>
  %sum = linalg.add ins(%k, %k : tensor<8xf32>, tensor<8xf32>) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
  return %sum : tensor<8xf32>
}
