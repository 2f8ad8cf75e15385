// RUN: jit-opt %s --jit-specialize="args=f32[2]" --canonicalize | FileCheck %s

// The default of a list of lists, an empty one among them, and of Optionals inside of a tuple.
// CHECK: jit.outputs = [{value = ["list", ["list", 0, 1], ["list"], ["list", 2]]}, {value = ["tuple", unit, 3]}]
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i64
// CHECK-DAG: %[[TWO:.*]] = arith.constant 2 : i64
// CHECK-DAG: %[[THREE:.*]] = arith.constant 3 : i64
// CHECK: return %[[ONE]], %[[TWO]], %[[THREE]], %[[TWO]]
func.func @forward(
    %x: !jit.tensor,
    %lists: !jit.list<!jit.list<i64>> {jit.default = [[1, 2], [], [3]]},
    %pair: !jit.tuple<!jit.optional<i64>, !jit.optional<i64>> {jit.default = [unit, 2]})
    -> (!jit.list<!jit.list<i64>>, !jit.tuple<!jit.optional<i64>, !jit.optional<i64>>) {
  return %lists, %pair : !jit.list<!jit.list<i64>>, !jit.tuple<!jit.optional<i64>, !jit.optional<i64>>
}
