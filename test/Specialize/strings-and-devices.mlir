// RUN: jit-opt %s --jit-specialize='args=1,"text","cuda:0","cpu"' | FileCheck %s
// RUN: not jit-opt %s --jit-specialize='args=1,2,"cpu","cpu"' 2>&1 | FileCheck %s --check-prefix=INT
// RUN: not jit-opt %s --jit-specialize='args=1,"a","cpu",2' 2>&1 | FileCheck %s --check-prefix=DEVICE

// A device is given as its name.
// CHECK: jit.outputs = [{value = "text"}, {value = ["device", "cuda:0"]}, {value = ["device", "cpu"]}]
// INT: expected argument 1 of type str, got an int
// DEVICE: expected argument 3 of type Device, got an int
func.func @forward(%n: i64, %s: !jit.str, %d: !jit.device, %o: !jit.optional<!jit.device>) -> (!jit.str, !jit.device, !jit.optional<!jit.device>) {
  return %s, %d, %o : !jit.str, !jit.device, !jit.optional<!jit.device>
}
