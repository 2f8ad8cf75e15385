// RUN: jit-opt %s --jit-specialize='args=dict[("a",1),("b",2.5)],dict[(1,2)]' --canonicalize | FileCheck %s
// RUN: not jit-opt %s --jit-specialize='args=[1],dict[]' 2>&1 | FileCheck %s --check-prefix=NUMBERS
// RUN: not jit-opt %s --jit-specialize='args=[("a",1,2)],dict[]' 2>&1 | FileCheck %s --check-prefix=TRIPLES
// RUN: not jit-opt %s --jit-specialize='args=[["a",1]],dict[]' 2>&1 | FileCheck %s --check-prefix=LISTS
// RUN: not jit-opt %s --jit-specialize='args=dict[],dict[(?int,1)]' 2>&1 | FileCheck %s --check-prefix=KEY
// RUN: not jit-opt %s --jit-specialize='args=dict[("a","text")],dict[("a",1)]' 2>&1 | FileCheck %s --check-prefix=KEYTYPE
// RUN: not jit-opt %s --jit-specialize='args=dict[],dict[(1,"text")]' 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not jit-opt %s --jit-specialize='args=("a",1),dict[]' 2>&1 | FileCheck %s --check-prefix=TUPLE

// A dict is the pairs of keys that are known and values; both are of its types.

// CHECK: jit.outputs = [{value = ["dict", "a", 0, "b", 1]}, {value = ["dict", 2, 3]}]

// NUMBERS: expected argument 0 of type Dict[str, Any], got a list of other things than pairs
// TRIPLES: expected argument 0 of type Dict[str, Any], got a list of other things than pairs
// LISTS: expected argument 0 of type Dict[str, Any], got a list of other things than pairs
// KEY: expected argument 1 of type Dict[int, int], got a key that is not known
// KEYTYPE: expected argument 1 of type int, got a string
// VALUE: expected argument 1 of type int, got a string
// TUPLE: expected argument 0 of type Dict[str, Any], got a tuple
func.func @forward(%d: !jit.dict<!jit.str, !jit.any>, %e: !jit.dict<i64, i64>) -> (!jit.dict<!jit.str, !jit.any>, !jit.dict<i64, i64>) {
  return %d, %e : !jit.dict<!jit.str, !jit.any>, !jit.dict<i64, i64>
}
