// RUN: not jit-opt %s --jit-to-linalg="args=[(1,2),(1,true)]" 2>&1 | FileCheck %s

// Tuples of several types have no order: PyTorch raises.
// CHECK: error: expected an operator with a lowering, got aten.sorted.any; it needs a list of tuples of one type
func.func @forward(%l: !jit.list<!jit.any>) -> i64 {
  %s = aten.sorted.any %l : (!jit.list<!jit.any>) -> !jit.list<!jit.any>
  %zero = arith.constant 0 : i64
  %first = aten.__getitem__.t %s, %zero : (!jit.list<!jit.any>, i64) -> !jit.any
  %h = aten.hash.generic %first : (!jit.any) -> i64
  return %h : i64
}
