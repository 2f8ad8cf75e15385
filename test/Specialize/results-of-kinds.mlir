// RUN: jit-opt %s --jit-specialize="args=f32[2],1.5,[3]" | FileCheck %s

// What a call returns, leaf by leaf: tensors and numbers are results of the function, names of its shape stand beside them.

// CHECK: -> (!jit.tensor<[2],f32>, f64, i64, !jit.tensor<[],complex<f64>>, i64)
// CHECK-SAME: jit.outputs = [{value = ["tuple", 0, ["dict", "a", 1, "b", 2], unit, "text", ["complex", 3], ["list", 4]]}]
!d = !jit.dict<!jit.str, !jit.any>
!r = !jit.tuple<!jit.tensor, !jit.dict<!jit.str, !jit.any>, !jit.none, !jit.str, complex<f64>, !jit.list<i64>>
func.func @forward(%x: !jit.tensor, %f: f64, %l: !jit.list<i64>) -> !r {
  %none = jit.constant !jit.none = unit
  %a = jit.constant !jit.str = "a"
  %b = jit.constant !jit.str = "b"
  %text = jit.constant !jit.str = "text"
  %two = arith.constant 2 : i64
  %c = jit.complex %f, %f
  %fa = jit.derefine %f : f64 to !jit.any
  %ta = jit.derefine %two : i64 to !jit.any
  %d = jit.dict keys(%a, %b : !jit.str, !jit.str) values(%fa, %ta : !jit.any, !jit.any) : !d
  %t = jit.tuple %x, %d, %none, %text, %c, %l : (!jit.tensor, !d, !jit.none, !jit.str, complex<f64>, !jit.list<i64>) -> !r
  return %t : !r
}
