// A list is no dict, and the keys of a dict are known.
// RUN: not jit-opt %s --jit-specialize="args=dict[(1,2)]" 2>&1 | FileCheck %s

// CHECK: expected argument 0 of type List[int], got a dict
func.func @forward(%l: !jit.list<i64>) -> i64 {
  %n = aten.len.t %l : (!jit.list<i64>) -> i64
  return %n : i64
}
