// RUN: jit-opt %s --jit-specialize="args=f32[2]" --canonicalize | FileCheck %s
// RUN: not jit-opt %s --jit-specialize="entry=short args=f32[2]" 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: not jit-opt %s --jit-specialize="entry=absent args=f32[2]" 2>&1 | FileCheck %s --check-prefix=ABSENT

// Arguments that a call leaves out: a slot of state becomes an argument that the runtime gives, a constant of the archive is read,
// a string, a device, a complex number and None are what they are.

// SHORT: expected argument 1 of 'short', which has no default
// ABSENT: expected argument 1 of 'absent', which has no default

// CHECK: func.func @forward(%{{[a-z0-9]+}}: !jit.tensor<[2],f32> {{{[^}]*}}}, %[[STATE:[a-z0-9]+]]: !jit.tensor<[2],f32> {{{[^}]*}}jit.slot = "state"}, %[[OPEN:[a-z0-9]+]]: !jit.tensor<[?],f32> {{{[^}]*}}jit.slot = "open"})
//       CHECK: %[[CONSTANT:.*]] = jit.slot_get @constant
//       CHECK: return %[[STATE]], %[[OPEN]], %[[CONSTANT]]
jit.slot @state : !jit.tensor<[2],f32> = #jit.storage<"data/0", 0, [1]> {jit.mutable}
jit.slot @open : !jit.tensor<[?],f32> = dense<0.0> : tensor<2xf32> {jit.mutable}
jit.slot @constant : !jit.tensor<[2],f32> = #jit.storage<"data/1", 0, [1]>
func.func @forward(
    %x: !jit.tensor, %state: !jit.tensor {jit.slot = "state"}, %open: !jit.tensor {jit.slot = "open"}, %constant: !jit.tensor {jit.default = @constant},
    %text: !jit.str {jit.default = "text"}, %none: !jit.optional<i64> {jit.default = unit})
    -> (!jit.tensor, !jit.tensor, !jit.tensor, !jit.str, !jit.optional<i64>) {
  return %state, %open, %constant, %text, %none : !jit.tensor, !jit.tensor, !jit.tensor, !jit.str, !jit.optional<i64>
}

func.func @short(%x: !jit.tensor, %pair: !jit.tuple<i64, i64> {jit.default = [1]}) -> i64 {
  %a, %b = jit.tuple_unpack %pair : (!jit.tuple<i64, i64>) -> (i64, i64)
  return %a : i64
}

func.func @absent(%x: !jit.tensor, %y: !jit.tensor {jit.default = @nowhere}) -> !jit.tensor {
  return %y : !jit.tensor
}
