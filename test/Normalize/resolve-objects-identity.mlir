// RUN: jit-opt %s --split-input-file --jit-resolve-objects --verify-diagnostics | FileCheck %s

jit.slot @"a.weight" : !jit.tensor<[2],f32> = #jit.storage<"data/0", 0, [1]>
jit.alias @b = "a"

// Submodules are one where their paths are; an object is never None, as an Optional neither.
// CHECK-LABEL: func.func @forward()
// CHECK-DAG: %[[T:.*]] = arith.constant true
// CHECK-DAG: %[[F:.*]] = arith.constant false
// CHECK: return %[[T]], %[[T]], %[[F]]
func.func @forward(%self: !jit.object<"M"> {jit.self}) -> (i1, i1, i1) {
  %a = jit.get_attr %self["a"] : (!jit.object<"M">) -> !jit.object<"Sub">
  %b = jit.get_attr %self["b"] : (!jit.object<"M">) -> !jit.object<"Sub">
  %one = aten.__is__ %a, %b : (!jit.object<"Sub">, !jit.object<"Sub">) -> i1
  %new = jit.create_object : !jit.object<"Sub">
  %other = aten.__isnot__ %a, %new : (!jit.object<"Sub">, !jit.object<"Sub">) -> i1
  %optional = jit.derefine %a : !jit.object<"Sub"> to !jit.optional<!jit.object<"Sub">>
  %none = jit.constant !jit.none = unit
  %is = aten.__is__ %optional, %none : (!jit.optional<!jit.object<"Sub">>, !jit.none) -> i1
  return %one, %other, %is : i1, i1, i1
}

// -----

// Two that calls made may be two arguments that are one for the caller.
func.func @forward() -> i1 {
  %a = jit.create_object : !jit.object<"P">
  %b = jit.create_object : !jit.object<"P">
  // expected-error @below {{expected objects to be used for their attributes alone, got '!jit.object<"P">'}}
  %is = aten.__is__ %a, %b : (!jit.object<"P">, !jit.object<"P">) -> i1
  return %is : i1
}

// -----

// Whether an Optional is an object or None hangs on the branch.
func.func @forward(%c: i1) -> i1 {
  %a = jit.create_object : !jit.object<"P">
  %none = jit.constant !jit.none = unit
  // expected-error @below {{expected the same object whichever way is taken}}
  %o = scf.if %c -> !jit.optional<!jit.object<"P">> {
    %some = jit.derefine %a : !jit.object<"P"> to !jit.optional<!jit.object<"P">>
    scf.yield %some : !jit.optional<!jit.object<"P">>
  } else {
    %no = jit.derefine %none : !jit.none to !jit.optional<!jit.object<"P">>
    scf.yield %no : !jit.optional<!jit.object<"P">>
  }
  %is = aten.__is__ %o, %none : (!jit.optional<!jit.object<"P">>, !jit.none) -> i1
  return %is : i1
}
