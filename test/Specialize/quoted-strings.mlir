// RUN: jit-opt %s --jit-specialize='args=1,"say\"hi\"\\\x0a"' | FileCheck %s

// What a string cannot hold as it is stands in it with a backslash.
// CHECK: jit.outputs = [{value = "say\22hi\22\\\0A"}]
func.func @forward(%n: i64, %text: !jit.str) -> !jit.str {
  return %text : !jit.str
}
