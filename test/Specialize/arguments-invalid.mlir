// RUN: not jit-opt %s --jit-specialize="args=none" 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not jit-opt %s --jit-specialize="args=f32[2],?float" 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: not jit-opt %s --jit-specialize="args=f32[2],1.5" 2>&1 | FileCheck %s --check-prefix=FLOAT
// RUN: not jit-opt %s --jit-specialize="args=f32[2],true" 2>&1 | FileCheck %s --check-prefix=BOOL
// RUN: not jit-opt %s --jit-specialize="args=f32[2],1,2,3" 2>&1 | FileCheck %s --check-prefix=INT
// RUN: not jit-opt %s --jit-specialize="args=f32[2],undef" 2>&1 | FileCheck %s --check-prefix=UNDEFINED
// RUN: not jit-opt %s --jit-specialize='args=f32[2],"text"' 2>&1 | FileCheck %s --check-prefix=STRING
// RUN: not jit-opt %s --jit-specialize="args=f32[2],(1,2)" 2>&1 | FileCheck %s --check-prefix=TUPLE
// RUN: not jit-opt %s --jit-specialize="args=f32[2],[1]" 2>&1 | FileCheck %s --check-prefix=LIST
// RUN: not jit-opt %s --jit-specialize='args=f32[2],1,2,"a",[1],(1,2,3)' 2>&1 | FileCheck %s --check-prefix=LENGTH
// RUN: not jit-opt %s --jit-specialize='args=f32[2],1,2,"a",[1],[1,2]' 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not jit-opt %s --jit-specialize='args=f32[2],1,2,"a",[1],(1,2),f32[2],1' 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: not jit-opt %s --jit-specialize="args=f32[" 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: not jit-opt %s --jit-specialize="entry=absent args=f32[2]" 2>&1 | FileCheck %s --check-prefix=ABSENT
// RUN: not jit-opt %s --jit-specialize="entry=helper args=f32[2]" 2>&1 | FileCheck %s --check-prefix=PRIVATE
// RUN: not jit-opt %s --jit-specialize="entry=elsewhere args=f32[2]" 2>&1 | FileCheck %s --check-prefix=EXTERNAL
// RUN: jit-opt %s --jit-specialize='args=f32[2],1,2,"a",[1],(1,2)' | FileCheck %s

// What a call gives and an entry does not take: the error says which argument, what it is to be, and what it is.

// NONE: expected argument 0 of type Tensor, got none
// OPEN: expected argument 1 of type int, got a number of another kind
// FLOAT: expected argument 1 of type int, got a float
// BOOL: expected argument 1 of type int, got a bool
// INT: expected argument 3 of type str, got an int
// UNDEFINED: expected argument 1 of type int, got an undefined tensor
// STRING: expected argument 1 of type int, got a string
// TUPLE: expected argument 1 of type int, got a tuple
// LIST: expected argument 1 of type int, got a list
// LENGTH: expected argument 5 of type Tuple[int, int], got a tuple
// OTHER: expected argument 5 of type Tuple[int, int], got a list
// MANY: expected at most 6 arguments for 'forward', got 8
// TEXT: error: expected a size, a name or '?' at character 4
// ABSENT: expected a public entry called 'absent'
// PRIVATE: expected a public entry called 'helper'
// EXTERNAL: expected a public entry called 'elsewhere'

// An int is taken where a float is.
// CHECK-LABEL: func.func @forward
//       CHECK: arith.constant 2.0{{.*}} : f64
func.func @forward(%x: !jit.tensor, %n: i64, %f: f64, %s: !jit.str, %l: !jit.list<i64>, %t: !jit.tuple<i64, i64>) -> !jit.tensor {
  %r = aten.mul.Scalar %x, %f : (!jit.tensor, f64) -> !jit.tensor
  return %r : !jit.tensor
}

func.func private @helper(%x: !jit.tensor) -> !jit.tensor {
  return %x : !jit.tensor
}

func.func private @elsewhere(%x: !jit.tensor) -> !jit.tensor
