// RUN: jit-opt %s --split-input-file --jit-resolve-objects --verify-diagnostics | FileCheck %s

// Objects in a dict or list of module state are there as the tuples of their attributes.
jit.slot @recipes : !jit.dict<i64, !jit.tuple<!jit.list<i64>, f64>> = [[2, [[1, 2], 0.5]]] {jit.attributes = ["axes", "scale"]}
jit.slot @all : !jit.list<!jit.tuple<!jit.list<i64>, f64>> = [[[1, 2], 0.5]] {jit.attributes = ["axes", "scale"]}

// CHECK-LABEL: func.func @forward(
// CHECK-SAME: %[[RANK:.*]]: i64)
// CHECK: %[[DICT:.*]] = jit.slot_get @recipes
// CHECK: %[[ONE:.*]] = aten.__getitem__.Dict_int %[[DICT]], %[[RANK]] : {{.*}} -> !jit.tuple<!jit.list<i64>, f64>
// CHECK: %[[SCALE:.*]] = jit.tuple_index %[[ONE]][1]
// CHECK: %[[LIST:.*]] = jit.slot_get @all
// CHECK: %[[COUNT:.*]] = aten.len.t %[[LIST]]
// CHECK: %[[OTHER:.*]] = aten.__getitem__.t %[[LIST]], %[[RANK]]
// CHECK: %[[AXES:.*]] = jit.tuple_index %[[OTHER]][0]
// CHECK: return %[[SCALE]], %[[COUNT]], %[[AXES]]
func.func @forward(%self: !jit.object<"M"> {jit.self}, %rank: i64) -> (f64, i64, !jit.list<i64>) {
  %recipes = jit.get_attr %self["recipes"] : (!jit.object<"M">) -> !jit.dict<i64, !jit.object<"R">>
  %recipe = aten.__getitem__.Dict_int %recipes, %rank : (!jit.dict<i64, !jit.object<"R">>, i64) -> !jit.object<"R">
  %scale = jit.get_attr %recipe["scale"] : (!jit.object<"R">) -> f64
  %all = jit.get_attr %self["all"] : (!jit.object<"M">) -> !jit.list<!jit.object<"R">>
  %count = aten.len.t %all : (!jit.list<!jit.object<"R">>) -> i64
  %other = aten.__getitem__.t %all, %rank : (!jit.list<!jit.object<"R">>, i64) -> !jit.object<"R">
  %axes = jit.get_attr %other["axes"] : (!jit.object<"R">) -> !jit.list<i64>
  return %scale, %count, %axes : f64, i64, !jit.list<i64>
}

// -----

jit.slot @all : !jit.list<!jit.tuple<f64>> = [[0.5]] {jit.attributes = ["scale"]}

// Another list of the same objects is not made.
func.func @forward(%self: !jit.object<"M"> {jit.self}) -> i64 {
  %all = jit.get_attr %self["all"] : (!jit.object<"M">) -> !jit.list<!jit.object<"R">>
  // expected-error @below {{expected objects to be used for their attributes alone}}
  %both = aten.add.t %all, %all : (!jit.list<!jit.object<"R">>, !jit.list<!jit.object<"R">>) -> !jit.list<!jit.object<"R">>
  %count = aten.len.t %both : (!jit.list<!jit.object<"R">>) -> i64
  return %count : i64
}
