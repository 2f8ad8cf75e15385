// RUN: jit-opt %s --jit-functionalize-lists | FileCheck %s
// RUN: jit-opt %s --jit-functionalize-lists --jit-specialize="args=[1],false" | FileCheck %s --check-prefix=DEAD
// RUN: not jit-opt %s --jit-functionalize-lists --jit-specialize="args=[1],true" 2>&1 | FileCheck %s --check-prefix=LIVE

// In a branch, a write that is not understood is an error of the calls that get to it.
// CHECK-LABEL: func.func @forward(
// CHECK: scf.if %{{.*}} {
// CHECK: jit.missing "'jit.replace' op expected a write to an operator's result, an argument or module state ({{.*}}list-write-not-understood.mlir:{{[0-9]+}}: it is written as an element of this)"
// CHECK-NOT: jit.replace
// DEAD-LABEL: func.func @forward
// DEAD-NOT: jit.missing
// LIVE: error: 'jit.replace' op expected a write to an operator's result
func.func @forward(%l: !jit.list<i64>, %c: i1) -> i64 {
  %none = arith.constant 0 : i64
  %rows = jit.list %l : (!jit.list<i64>) -> !jit.list<!jit.list<i64>>
  %row = aten.__getitem__.t %rows, %none : (!jit.list<!jit.list<i64>>, i64) -> !jit.list<i64>
  scf.if %c {
    %new = jit.list : () -> !jit.list<i64>
    jit.replace %row, %new : !jit.list<i64>, !jit.list<i64>
  }
  %n = aten.len.t %l : (!jit.list<i64>) -> i64
  return %n : i64
}
