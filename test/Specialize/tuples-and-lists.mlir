// RUN: jit-opt %s --jit-specialize='args=(1,2),(1,none)' | FileCheck %s
// RUN: not jit-opt %s --jit-specialize='args=[1,2],[1,2]' 2>&1 | FileCheck %s --check-prefix=LIST
// RUN: not jit-opt %s --jit-specialize='args=[1,2.5],(1,2)' 2>&1 | FileCheck %s --check-prefix=ELEMENT
// RUN: not jit-opt %s --jit-specialize='args=[1,2],(1,"text")' 2>&1 | FileCheck %s --check-prefix=PART
// RUN: not jit-opt %s --jit-specialize='args=[1,none],(1,2)' 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not jit-opt %s --jit-specialize='args=f32[2],(1,2)' 2>&1 | FileCheck %s --check-prefix=TENSOR

// Python's tuple is a list where a list is asked for, but no list is a tuple. Elements are of the type that is asked for.
// CHECK: jit.outputs = [{value = ["list", 0, 1]}, {value = ["tuple", 2, unit]}]
// LIST: expected argument 1 of type Tuple[int, Optional[int]], got a list
// ELEMENT: expected argument 0 of type int, got a float
// PART: expected argument 1 of type int, got a string
// NONE: expected argument 0 of type int, got none
// TENSOR: expected argument 0 of type List[int], got a tensor
func.func @forward(%l: !jit.list<i64>, %t: !jit.tuple<i64, !jit.optional<i64>>) -> (!jit.list<i64>, !jit.tuple<i64, !jit.optional<i64>>) {
  return %l, %t : !jit.list<i64>, !jit.tuple<i64, !jit.optional<i64>>
}
