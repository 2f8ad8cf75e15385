// RUN: jit-opt %s --jit-specialize='args=f32[2],?bool,[1],"cpu"' | FileCheck %s
// RUN: not jit-opt %s --jit-specialize='args=f32[?],?bool,[1],"cpu"' 2>&1 | FileCheck %s --check-prefix=OPEN

// What data choose between a tensor and a list is one of both; a device, which no operator computes, is its name. A list of so many tensors as only data tell has no form.

// CHECK: -> (!jit.tensor<[],f32>, !jit.tensor<[],f32>, i1, !jit.tensor<[2],f32>, i64)
// CHECK-SAME: jit.outputs = [{value = ["list", 0, 1]}, {value = ["either", 2, 3, ["list", 4]]}, {value = ["device", "cpu"]}]
// OPEN: error: expected a result made of tensors and numbers, got one of type List[Tensor]
func.func @forward(%x: !jit.tensor, %c: i1, %l: !jit.list<i64>, %device: !jit.device) -> (!jit.list<!jit.tensor>, !jit.any, !jit.device) {
  %zero = arith.constant 0 : i64
  %parts = aten.unbind.int %x, %zero : (!jit.tensor, i64) -> !jit.list<!jit.tensor>
  %e = scf.if %c -> !jit.any {
    %t = jit.derefine %x : !jit.tensor to !jit.any
    scf.yield %t : !jit.any
  } else {
    %n = jit.derefine %l : !jit.list<i64> to !jit.any
    scf.yield %n : !jit.any
  }
  return %parts, %e, %device : !jit.list<!jit.tensor>, !jit.any, !jit.device
}
