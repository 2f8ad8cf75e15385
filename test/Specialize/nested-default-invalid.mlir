// RUN: jit-opt %s --jit-specialize="args=[default,[1]]" --verify-diagnostics

// No element has a default: it is not the empty list.
// expected-error@+1 {{expected argument 0 of type List[int], got a default, which only whole arguments have}}
func.func @forward(%lists: !jit.list<!jit.list<i64>>) -> i64 {
  %first = arith.constant 0 : i64
  %list = aten.__getitem__.t %lists, %first : (!jit.list<!jit.list<i64>>, i64) -> !jit.list<i64>
  %length = aten.len.t %list : (!jit.list<i64>) -> i64
  return %length : i64
}
