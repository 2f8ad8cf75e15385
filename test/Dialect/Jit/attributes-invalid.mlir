// What stages hand on beside operations is of one kind and stands in one place.
// RUN: jit-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{expected no attribute 'jit.symbolic' on an argument}}
func.func @misplaced(%x: i64 {jit.symbolic}) {
  return
}

// -----

// expected-error @below {{expected a string as 'jit.weight', got 1 : i64}}
func.func @of_another_kind(%x: i64 {jit.weight = 1 : i64}) {
  return
}

// -----

// expected-error @below {{expected an array of strings as 'jit.size_names', got [1]}}
func.func @elements_of_another_kind(%x: i64 {jit.size_names = [1]}) {
  return
}

// -----

// expected-error @below {{expected no attribute 'jit.weight' on a result}}
func.func @on_a_result() -> (i64 {jit.weight = "w"}) {
  %0 = arith.constant 1 : i64
  return %0 : i64
}

// -----

// expected-error @below {{expected no attribute 'jit.mutable' on a function}}
func.func @no_slot() attributes {jit.mutable} {
  return
}

// -----

// expected-error @below {{expected a string as 'jit.archive'}}
module attributes {jit.archive} {}
