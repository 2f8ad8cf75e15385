// RUN: jit-opt %s --split-input-file --jit-resolve-objects --verify-diagnostics | FileCheck %s

// An object that module state comes to hold is there as the tuple of its attributes.
jit.slot @mapper : !jit.optional<!jit.tuple<i64, f64>> = unit {jit.attributes = ["low", "eps"]}

// CHECK-LABEL: func.func @forward(
// CHECK-SAME: %[[N:.*]]: i64, %[[E:.*]]: f64)
func.func @forward(%self: !jit.object<"M"> {jit.self}, %n: i64, %e: f64) -> (i1, i64, f64) {
  %none = jit.constant !jit.none = unit
  // CHECK: %[[BEFORE:.*]] = jit.slot_get @mapper : !jit.optional<!jit.tuple<i64, f64>>
  // CHECK: %[[IS:.*]] = aten.__is__ %[[BEFORE]], %{{.*}} : (!jit.optional<!jit.tuple<i64, f64>>, !jit.none) -> i1
  %before = jit.get_attr %self["mapper"] : (!jit.object<"M">) -> !jit.optional<!jit.object<"L">>
  %is = aten.__is__ %before, %none : (!jit.optional<!jit.object<"L">>, !jit.none) -> i1
  %o = jit.create_object : !jit.object<"L">
  jit.set_attr %o["low"] = %n : !jit.object<"L">, i64
  jit.set_attr %o["eps"] = %e : !jit.object<"L">, f64
  // CHECK: %[[TUPLE:.*]] = jit.tuple %[[N]], %[[E]]
  // CHECK: %[[OPTIONAL:.*]] = jit.derefine %[[TUPLE]]
  // CHECK: jit.slot_set @mapper = %[[OPTIONAL]]
  %optional = jit.derefine %o : !jit.object<"L"> to !jit.optional<!jit.object<"L">>
  jit.set_attr %self["mapper"] = %optional : !jit.object<"M">, !jit.optional<!jit.object<"L">>
  // CHECK: %[[AFTER:.*]] = jit.slot_get @mapper
  // CHECK: %[[PARTS:.*]] = jit.unchecked_cast %[[AFTER]]
  // CHECK: %[[LOW:.*]] = jit.tuple_index %[[PARTS]][0]
  %after = jit.get_attr %self["mapper"] : (!jit.object<"M">) -> !jit.optional<!jit.object<"L">>
  %held = jit.unchecked_cast %after : !jit.optional<!jit.object<"L">> to !jit.object<"L">
  %low = jit.get_attr %held["low"] : (!jit.object<"L">) -> i64
  %eps = jit.get_attr %o["eps"] : (!jit.object<"L">) -> f64
  // CHECK: return %[[IS]], %[[LOW]], %[[E]]
  return %is, %low, %eps : i1, i64, f64
}

// -----

jit.slot @mapper : !jit.optional<!jit.tuple<i64>> = unit {jit.attributes = ["low"]}

// Both would have to change.
func.func @forward(%self: !jit.object<"M"> {jit.self}, %n: i64) -> i64 {
  %o = jit.create_object : !jit.object<"L">
  jit.set_attr %o["low"] = %n : !jit.object<"L">, i64
  %optional = jit.derefine %o : !jit.object<"L"> to !jit.optional<!jit.object<"L">>
  jit.set_attr %self["mapper"] = %optional : !jit.object<"M">, !jit.optional<!jit.object<"L">>
  // expected-error @below {{expected an object that module state holds not to change, got an assignment of 'low'}}
  jit.set_attr %o["low"] = %n : !jit.object<"L">, i64
  return %n : i64
}

// -----

jit.slot @mapper : !jit.optional<!jit.tuple<i64>> = unit {jit.attributes = ["low"]}

func.func @forward(%self: !jit.object<"M"> {jit.self}) {
  %none = jit.constant !jit.none = unit
  %optional = jit.derefine %none : !jit.none to !jit.optional<!jit.object<"L">>
  // expected-error @below {{expected an object that is made in this call, outside of loops, as the new value of 'mapper'}}
  jit.set_attr %self["mapper"] = %optional : !jit.object<"M">, !jit.optional<!jit.object<"L">>
  return
}
