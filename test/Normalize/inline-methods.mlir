// RUN: jit-opt %s --jit-inline-methods --mlir-print-debuginfo | FileCheck %s

// CHECK-LABEL: func.func @forward
// CHECK-SAME: (%[[X:.*]]: !jit.tensor
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  // CHECK: %[[A:.*]] = aten.relu %[[X]] : (!jit.tensor) -> !jit.tensor loc(#[[LA:.*]])
  // CHECK: %[[B:.*]] = aten.tanh %[[A]] : (!jit.tensor) -> !jit.tensor loc(#[[LB:.*]])
  // CHECK: return %[[B]]
  %r = func.call @outer(%x) : (!jit.tensor) -> !jit.tensor loc("m.py":1:0)
  return %r : !jit.tensor
}

// CHECK-NOT: func.func
func.func private @outer(%x: !jit.tensor) -> !jit.tensor {
  %r = func.call @inner(%x) : (!jit.tensor) -> !jit.tensor loc("m.py":2:0)
  %s = aten.tanh %r : (!jit.tensor) -> !jit.tensor loc("m.py":3:0)
  return %s : !jit.tensor
}

func.func private @inner(%x: !jit.tensor) -> !jit.tensor {
  %r = aten.relu %x : (!jit.tensor) -> !jit.tensor loc("m.py":4:0)
  return %r : !jit.tensor
}

// The innermost location comes first, each call after it.
// CHECK-DAG: #[[L1:.*]] = loc("m.py":1:0)
// CHECK-DAG: #[[L2:.*]] = loc("m.py":2:0)
// CHECK-DAG: #[[L3:.*]] = loc("m.py":3:0)
// CHECK-DAG: #[[L4:.*]] = loc("m.py":4:0)
// CHECK-DAG: #[[LB]] = loc(callsite(#[[L3]] at #[[L1]]))
// CHECK-DAG: #[[L5:.*]] = loc(callsite(#[[L2]] at #[[L1]]))
// CHECK-DAG: #[[LA]] = loc(callsite(#[[L4]] at #[[L5]]))
