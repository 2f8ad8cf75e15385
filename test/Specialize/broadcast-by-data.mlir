// An operand whose size data tell may have one element where another operand's size is known: it is taken for each.
// RUN: jit-opt %s --jit-specialize='entry=forward args=f32[6,6],f32[4]' | FileCheck %s --check-prefix=KNOWN
// Of open sizes the call's own serve.
// RUN: jit-opt %s --jit-specialize='entry=forward args=f32[n,6],f32[4]' | FileCheck %s --check-prefix=OPEN

// KNOWN: %[[READ:.*]] = aten.index.Tensor
// KNOWN: %[[SIZE:.*]] = aten.size.int %[[READ]], %
// KNOWN: %[[MANY:.*]] = arith.cmpi ne, %[[SIZE]], %c1
// KNOWN: arith.cmpi ne, %[[SIZE]], %c6
// KNOWN: jit.guard %{{.*}}, "builtins.RuntimeError", "expected a size of 1 or 6 to broadcast, got {}"(%[[SIZE]] : i64)
// KNOWN: %[[STEP:.*]] = arith.extui %[[MANY]]
// KNOWN: %[[PLACES:.*]] = aten.mul.Scalar %{{.*}}, %[[STEP]]
// KNOWN: %[[EACH:.*]] = aten.index_select %[[READ]], %{{.*}}, %[[PLACES]]
// KNOWN: aten.sub.Tensor %{{.*}}, %[[EACH]]

// OPEN-NOT: aten.index_select
func.func @forward(%x: !jit.tensor {jit.name = "x"}, %y: !jit.tensor {jit.name = "y"}) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %mask = aten.gt.Scalar %y, %zero : (!jit.tensor, i64) -> !jit.tensor
  %masks = jit.list %mask : (!jit.tensor) -> !jit.list<!jit.tensor>
  %read = aten.index.Tensor %y, %masks : (!jit.tensor, !jit.list<!jit.tensor>) -> !jit.tensor
  %d = aten.sub.Tensor %x, %read, %one : (!jit.tensor, !jit.tensor, i64) -> !jit.tensor
  return %d : !jit.tensor
}
