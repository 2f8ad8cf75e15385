// RUN: jit-opt %s --jit-inline-methods --jit-resolve-objects --jit-freeze --split-input-file --verify-diagnostics

func.func @forward() {
  func.call @a() : () -> ()
  return
}
func.func private @a() {
  func.call @b() : () -> ()
  return
}
func.func private @b() {
  // expected-error @below {{expected calls without recursion, got @a -> @b -> @a}}
  func.call @a() : () -> ()
  return
}

// -----

func.func @forward() {
  // expected-error @below {{expected a function with a body of one block, got @nowhere}}
  func.call @nowhere() : () -> ()
  return
}
func.func private @nowhere()

// -----

func.func @forward(%self: !jit.object<"M"> {jit.self}) -> i64 {
  // expected-error @below {{expected a slot 'count' of module state, got none}}
  %n = jit.get_attr %self["count"] : (!jit.object<"M">) -> i64
  return %n : i64
}

// -----

func.func @forward(%self: !jit.object<"M"> {jit.self}, %c: i1) -> i64 {
  // expected-error @below {{expected the same object whichever way is taken, got 'a' and 'b'}}
  %o = scf.if %c -> !jit.object<"N"> {
    %a = jit.get_attr %self["a"] : (!jit.object<"M">) -> !jit.object<"N">
    scf.yield %a : !jit.object<"N">
  } else {
    %b = jit.get_attr %self["b"] : (!jit.object<"M">) -> !jit.object<"N">
    scf.yield %b : !jit.object<"N">
  }
  %n = jit.get_attr %o["n"] : (!jit.object<"N">) -> i64
  return %n : i64
}

// -----

jit.slot @n : i64 = "four"
func.func @forward() -> i64 {
  // expected-error @below {{expected the value of a slot to fit its type, got "four" for 'i64'}}
  %n = jit.slot_get @n : i64
  return %n : i64
}
