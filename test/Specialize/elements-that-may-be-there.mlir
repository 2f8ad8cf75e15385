// RUN: jit-opt %s --jit-specialize="args=f32[3,5]" --canonicalize --split-input-file | FileCheck %s

// Which elements a list, a dict or a tensor's parts certainly have not, in the calls that data lead there, and which they may have.

// Parts that add up.
// CHECK-LABEL: func.func @forward(
// CHECK-NOT: jit.guard %false
// CHECK: return
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %none = jit.constant !jit.none = unit
  %s = aten.sum %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %c = aten.Bool.Tensor %s : (!jit.tensor) -> i1
  %k = aten.Int.Tensor %s : (!jit.tensor) -> i64
  %y = scf.if %c -> !jit.tensor {
    %sizes = jit.list %one, %two : (i64, i64) -> !jit.list<i64>
    %parts = aten.split.sizes %x, %sizes, %zero : (!jit.tensor, !jit.list<i64>, i64) -> !jit.list<!jit.tensor>
    %e = aten.__getitem__.t %parts, %zero : (!jit.list<!jit.tensor>, i64) -> !jit.tensor
    scf.yield %e : !jit.tensor
  } else {
    scf.yield %x : !jit.tensor
  }
  return %y : !jit.tensor
}

// -----

// Parts of the last but one of two dimensions that do not.
// CHECK-LABEL: func.func @forward(
// CHECK: jit.guard %false, "builtins.RuntimeError", "expected sizes of parts that add up to 3, got 2"
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %before = arith.constant -2 : i64
  %none = jit.constant !jit.none = unit
  %s = aten.sum %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %c = aten.Bool.Tensor %s : (!jit.tensor) -> i1
  %k = aten.Int.Tensor %s : (!jit.tensor) -> i64
  %y = scf.if %c -> !jit.tensor {
    %sizes = jit.list %one, %one : (i64, i64) -> !jit.list<i64>
    %parts = aten.split.sizes %x, %sizes, %before : (!jit.tensor, !jit.list<i64>, i64) -> !jit.list<!jit.tensor>
    %e = aten.__getitem__.t %parts, %zero : (!jit.list<!jit.tensor>, i64) -> !jit.tensor
    scf.yield %e : !jit.tensor
  } else {
    scf.yield %x : !jit.tensor
  }
  return %y : !jit.tensor
}

// -----

// A part that is larger than what it is of.
// CHECK-LABEL: func.func @forward(
// CHECK: jit.guard %false, "builtins.RuntimeError", "expected split sizes that add up to 3"
// CHECK: return
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %four = arith.constant 4 : i64
  %none = jit.constant !jit.none = unit
  %s = aten.sum %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %c = aten.Bool.Tensor %s : (!jit.tensor) -> i1
  %k = aten.Int.Tensor %s : (!jit.tensor) -> i64
  %y = scf.if %c -> !jit.tensor {
    %sizes = jit.list %four, %one : (i64, i64) -> !jit.list<i64>
    %parts = aten.split.sizes %x, %sizes, %zero : (!jit.tensor, !jit.list<i64>, i64) -> !jit.list<!jit.tensor>
    %e = aten.__getitem__.t %parts, %zero : (!jit.list<!jit.tensor>, i64) -> !jit.tensor
    scf.yield %e : !jit.tensor
  } else {
    scf.yield %x : !jit.tensor
  }
  return %y : !jit.tensor
}

// -----

// A part whose size data say.
// CHECK-LABEL: func.func @forward(
// CHECK-NOT: jit.guard %false
// CHECK: return
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %none = jit.constant !jit.none = unit
  %s = aten.sum %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %c = aten.Bool.Tensor %s : (!jit.tensor) -> i1
  %k = aten.Int.Tensor %s : (!jit.tensor) -> i64
  %y = scf.if %c -> !jit.tensor {
    %sizes = jit.list %k, %one : (i64, i64) -> !jit.list<i64>
    %parts = aten.split.sizes %x, %sizes, %zero : (!jit.tensor, !jit.list<i64>, i64) -> !jit.list<!jit.tensor>
    %e = aten.__getitem__.t %parts, %zero : (!jit.list<!jit.tensor>, i64) -> !jit.tensor
    scf.yield %e : !jit.tensor
  } else {
    scf.yield %x : !jit.tensor
  }
  return %y : !jit.tensor
}

// -----

// A dimension that data say.
// CHECK-LABEL: func.func @forward(
// CHECK-NOT: jit.guard %false
// CHECK: return
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %none = jit.constant !jit.none = unit
  %s = aten.sum %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %c = aten.Bool.Tensor %s : (!jit.tensor) -> i1
  %k = aten.Int.Tensor %s : (!jit.tensor) -> i64
  %y = scf.if %c -> !jit.tensor {
    %sizes = jit.list %one, %one : (i64, i64) -> !jit.list<i64>
    %parts = aten.split.sizes %x, %sizes, %k : (!jit.tensor, !jit.list<i64>, i64) -> !jit.list<!jit.tensor>
    %e = aten.__getitem__.t %parts, %zero : (!jit.list<!jit.tensor>, i64) -> !jit.tensor
    scf.yield %e : !jit.tensor
  } else {
    scf.yield %x : !jit.tensor
  }
  return %y : !jit.tensor
}

// -----

// A place that data say.
// CHECK-LABEL: func.func @forward(
// CHECK-NOT: jit.guard %false
// CHECK: return
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %none = jit.constant !jit.none = unit
  %s = aten.sum %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %c = aten.Bool.Tensor %s : (!jit.tensor) -> i1
  %k = aten.Int.Tensor %s : (!jit.tensor) -> i64
  %y = scf.if %c -> !jit.tensor {
    %list = jit.list %x, %x : (!jit.tensor, !jit.tensor) -> !jit.list<!jit.tensor>
    %e = aten.__getitem__.t %list, %k : (!jit.list<!jit.tensor>, i64) -> !jit.tensor
    scf.yield %e : !jit.tensor
  } else {
    scf.yield %x : !jit.tensor
  }
  return %y : !jit.tensor
}

// -----

// Behind the first one, counted from the end.
// CHECK-LABEL: func.func @forward(
// CHECK: jit.guard %false, "builtins.IndexError", "list index out of range"
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %before = arith.constant -3 : i64
  %none = jit.constant !jit.none = unit
  %s = aten.sum %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %c = aten.Bool.Tensor %s : (!jit.tensor) -> i1
  %k = aten.Int.Tensor %s : (!jit.tensor) -> i64
  %y = scf.if %c -> !jit.tensor {
    %list = jit.list %x, %x : (!jit.tensor, !jit.tensor) -> !jit.list<!jit.tensor>
    %e = aten.__getitem__.t %list, %before : (!jit.list<!jit.tensor>, i64) -> !jit.tensor
    scf.yield %e : !jit.tensor
  } else {
    scf.yield %x : !jit.tensor
  }
  return %y : !jit.tensor
}

// -----

// As many as there are.
// CHECK-LABEL: func.func @forward(
// CHECK-NOT: jit.guard %false
// CHECK: return
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %none = jit.constant !jit.none = unit
  %s = aten.sum %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %c = aten.Bool.Tensor %s : (!jit.tensor) -> i1
  %k = aten.Int.Tensor %s : (!jit.tensor) -> i64
  %y = scf.if %c -> !jit.tensor {
    %list = jit.list %x, %x : (!jit.tensor, !jit.tensor) -> !jit.list<!jit.tensor>
    %e, %e1 = jit.list_unpack %list : (!jit.list<!jit.tensor>) -> (!jit.tensor, !jit.tensor)
    scf.yield %e : !jit.tensor
  } else {
    scf.yield %x : !jit.tensor
  }
  return %y : !jit.tensor
}

// -----

// More than there are.
// CHECK-LABEL: func.func @forward(
// CHECK: jit.guard %false, "builtins.RuntimeError", "expected a list of 3 elements, got 2"
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %none = jit.constant !jit.none = unit
  %s = aten.sum %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %c = aten.Bool.Tensor %s : (!jit.tensor) -> i1
  %k = aten.Int.Tensor %s : (!jit.tensor) -> i64
  %y = scf.if %c -> !jit.tensor {
    %list = jit.list %x, %x : (!jit.tensor, !jit.tensor) -> !jit.list<!jit.tensor>
    %e, %e1, %e2 = jit.list_unpack %list : (!jit.list<!jit.tensor>) -> (!jit.tensor, !jit.tensor, !jit.tensor)
    scf.yield %e : !jit.tensor
  } else {
    scf.yield %x : !jit.tensor
  }
  return %y : !jit.tensor
}

// -----

// A key that data say.
// CHECK-LABEL: func.func @forward(
// CHECK-NOT: jit.guard %false
// CHECK: return
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %none = jit.constant !jit.none = unit
  %s = aten.sum %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %c = aten.Bool.Tensor %s : (!jit.tensor) -> i1
  %k = aten.Int.Tensor %s : (!jit.tensor) -> i64
  %y = scf.if %c -> !jit.tensor {
    %dict = jit.dict keys(%one, %zero : i64, i64) values(%x, %x : !jit.tensor, !jit.tensor) : !jit.dict<i64, !jit.tensor>
    %e = aten.__getitem__.Dict_int %dict, %k : (!jit.dict<i64, !jit.tensor>, i64) -> !jit.tensor
    scf.yield %e : !jit.tensor
  } else {
    scf.yield %x : !jit.tensor
  }
  return %y : !jit.tensor
}

// -----

// A key that may be one that data say.
// CHECK-LABEL: func.func @forward(
// CHECK-NOT: jit.guard %false
// CHECK: return
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %none = jit.constant !jit.none = unit
  %s = aten.sum %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %c = aten.Bool.Tensor %s : (!jit.tensor) -> i1
  %k = aten.Int.Tensor %s : (!jit.tensor) -> i64
  %y = scf.if %c -> !jit.tensor {
    %dict = jit.dict keys(%one, %k : i64, i64) values(%x, %x : !jit.tensor, !jit.tensor) : !jit.dict<i64, !jit.tensor>
    %e = aten.__getitem__.Dict_int %dict, %two : (!jit.dict<i64, !jit.tensor>, i64) -> !jit.tensor
    scf.yield %e : !jit.tensor
  } else {
    scf.yield %x : !jit.tensor
  }
  return %y : !jit.tensor
}

// -----

// A float may be equal to one that is written otherwise.
// CHECK-LABEL: func.func @forward(
// CHECK-NOT: jit.guard %false
// CHECK: return
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %f = arith.constant 0.5 : f64
  %g = arith.constant 1.5 : f64
  %h = arith.constant 2.5 : f64
  %none = jit.constant !jit.none = unit
  %s = aten.sum %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %c = aten.Bool.Tensor %s : (!jit.tensor) -> i1
  %k = aten.Int.Tensor %s : (!jit.tensor) -> i64
  %y = scf.if %c -> !jit.tensor {
    %dict = jit.dict keys(%g, %h : f64, f64) values(%x, %x : !jit.tensor, !jit.tensor) : !jit.dict<f64, !jit.tensor>
    %e = aten.__getitem__.Dict_float %dict, %f : (!jit.dict<f64, !jit.tensor>, f64) -> !jit.tensor
    scf.yield %e : !jit.tensor
  } else {
    scf.yield %x : !jit.tensor
  }
  return %y : !jit.tensor
}

// -----

// A string that is none of the keys.
// CHECK-LABEL: func.func @forward(
// CHECK: jit.guard %false, "builtins.KeyError", "expected a key that the dict has"
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %f = jit.constant !jit.str = "f"
  %g = jit.constant !jit.str = "g"
  %h = jit.constant !jit.str = "h"
  %none = jit.constant !jit.none = unit
  %s = aten.sum %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %c = aten.Bool.Tensor %s : (!jit.tensor) -> i1
  %k = aten.Int.Tensor %s : (!jit.tensor) -> i64
  %y = scf.if %c -> !jit.tensor {
    %dict = jit.dict keys(%g, %h : !jit.str, !jit.str) values(%x, %x : !jit.tensor, !jit.tensor) : !jit.dict<!jit.str, !jit.tensor>
    %e = aten.__getitem__.Dict_str %dict, %f : (!jit.dict<!jit.str, !jit.tensor>, !jit.str) -> !jit.tensor
    scf.yield %e : !jit.tensor
  } else {
    scf.yield %x : !jit.tensor
  }
  return %y : !jit.tensor
}
