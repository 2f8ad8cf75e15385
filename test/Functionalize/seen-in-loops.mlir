// RUN: jit-opt %s --jit-functionalize-tensors --canonicalize --cse | FileCheck %s

// When a name has to follow what is written under another one, and when it has not.

!m = !jit.tensor<[2,2],f32>

// A variable begins as a tensor, and becomes it again: what a trip wrote to it is there in the next one.
// CHECK-LABEL: func.func @begins_and_becomes(
// CHECK-SAME: %[[A:[a-z0-9]+]]:{{.*}}%[[B:[a-z0-9]+]]:{{.*}}%[[C:[a-z0-9]+]]:
// CHECK: %[[RELU:[a-z0-9_]+]] = aten.relu %[[A]]
// CHECK: %[[FOR:[a-z0-9_]+]]:4 = scf.for %[[I:[a-z0-9_]+]] = %c0_i64 to %[[C]] step %c1_i64 iter_args(%[[V:[a-z0-9_]+]] = %[[RELU]], %[[V2:[a-z0-9_]+]] = %true, %[[V3:[a-z0-9_]+]] = %false, %[[V4:[a-z0-9_]+]] = %[[RELU]])
// CHECK: %[[ADD:[a-z0-9_]+]] = aten.add.Tensor %[[V]], %[[B]], %c1_i64
// CHECK: %[[SELECT:[a-z0-9_]+]] = arith.select %[[V2]], %[[ADD]], %[[V4]]
// CHECK: %[[SELECT2:[a-z0-9_]+]] = arith.select %[[V3]], %[[ADD]], %[[SELECT]]
// CHECK: %[[ALIAS:[a-z0-9_]+]] = aten.alias %[[SELECT2]]
// CHECK: scf.yield %[[ALIAS]], %false, %true, %[[SELECT2]]
// CHECK: return %[[FOR]]#0
func.func @begins_and_becomes(%x: !m, %v: !m, %n: i64) -> !m {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!m) -> !m
  %r = scf.for %i = %zero to %n step %one iter_args(%t = %y) -> !m : i64 {
    %sum = aten.add.Tensor %t, %v, %one : (!m, !m, i64) -> !m
    %w = jit.overwrite %t, %sum : (!m, !m) -> !m
    %k = aten.alias %y : (!m) -> !m
    scf.yield %k : !m
  }
  return %r : !m
}

// Both ways of a branch show one tensor, each in its way; nothing else does.
// CHECK-LABEL: func.func @in_both_ways(
// CHECK-NOT: arith.xori
// CHECK: return
func.func @in_both_ways(%x: !m, %v: !jit.tensor<[2],f32>, %c: i1) -> !m {
  %zero = arith.constant 0 : i64
  %y = aten.relu %x : (!m) -> !m
  %b = scf.if %c -> !m {
    %t = aten.t %y : (!m) -> !m
    scf.yield %t : !m
  } else {
    scf.yield %y : !m
  }
  %row = aten.select.int %b, %zero, %zero : (!m, i64, i64) -> !jit.tensor<[2],f32>
  %w = jit.overwrite %row, %v : (!jit.tensor<[2],f32>, !jit.tensor<[2],f32>) -> !jit.tensor<[2],f32>
  return %b : !m
}

// Of a view that is made before only its size is asked behind the branch.
// CHECK-LABEL: func.func @size_of_a_view(
// CHECK-NOT: arith.xori
// CHECK: return
func.func @size_of_a_view(%x: !jit.tensor<[?,?],f32>, %v: !jit.tensor<[?,?],f32>, %c: i1) -> (!jit.tensor<[?,?],f32>, i64) {
  %zero = arith.constant 0 : i64
  %y = aten.relu %x : (!jit.tensor<[?,?],f32>) -> !jit.tensor<[?,?],f32>
  %z = aten.tanh %x : (!jit.tensor<[?,?],f32>) -> !jit.tensor<[?,?],f32>
  %b = scf.if %c -> !jit.tensor<[?,?],f32> {
    scf.yield %y : !jit.tensor<[?,?],f32>
  } else {
    scf.yield %z : !jit.tensor<[?,?],f32>
  }
  %w = jit.overwrite %b, %v : (!jit.tensor<[?,?],f32>, !jit.tensor<[?,?],f32>) -> !jit.tensor<[?,?],f32>
  %row = aten.t %y : (!jit.tensor<[?,?],f32>) -> !jit.tensor<[?,?],f32>
  %n = aten.numel %row : (!jit.tensor<[?,?],f32>) -> i64
  return %b, %n : !jit.tensor<[?,?],f32>, i64
}

// What was read before the branch was read.
// CHECK-LABEL: func.func @read_before(
// CHECK-NOT: arith.xori
// CHECK: return
func.func @read_before(%x: !m, %v: !m, %c: i1) -> (!m, !m) {
  %y = aten.relu %x : (!m) -> !m
  %z = aten.tanh %x : (!m) -> !m
  %s = aten.sigmoid %y : (!m) -> !m
  %b = scf.if %c -> !m {
    scf.yield %y : !m
  } else {
    scf.yield %z : !m
  }
  %w = jit.overwrite %b, %v : (!m, !m) -> !m
  return %b, %s : !m, !m
}

// A copy that was taken before is no name of the tensor.
// CHECK-LABEL: func.func @copied_before(
// CHECK-NOT: arith.xori
// CHECK: return
func.func @copied_before(%x: !m, %v: !m, %c: i1) -> (!m, !jit.tensor<[4],f32>) {
  %all = arith.constant -1 : i64
  %size = jit.list %all : (i64) -> !jit.list<i64>
  %y = aten.mm %x, %v : (!m, !m) -> !m
  %z = aten.tanh %x : (!m) -> !m
  %t = aten.t %y : (!m) -> !m
  %copy = aten.reshape %t, %size : (!m, !jit.list<i64>) -> !jit.tensor<[4],f32>
  %b = scf.if %c -> !m {
    scf.yield %y : !m
  } else {
    scf.yield %z : !m
  }
  %w = jit.overwrite %b, %v : (!m, !m) -> !m
  %s = aten.sigmoid %copy : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  return %b, %s : !m, !jit.tensor<[4],f32>
}

// The loop around the branch begins with the tensor that the branch gives.
// CHECK-LABEL: func.func @variable_around(
// CHECK-SAME: %{{[a-z0-9]+}}:{{.*}}%[[V:[a-z0-9]+]]:
// CHECK: scf.for {{.*}} iter_args({{.*}} = %true
// CHECK: return
func.func @variable_around(%x: !m, %v: !m, %c: i1, %n: i64) -> !m {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!m) -> !m
  %r = scf.for %i = %zero to %n step %one iter_args(%t = %y) -> !m : i64 {
    %b = scf.if %c -> !m {
      scf.yield %y : !m
    } else {
      %z = aten.tanh %x : (!m) -> !m
      scf.yield %z : !m
    }
    %w = jit.overwrite %b, %v : (!m, !m) -> !m
    %s = aten.sigmoid %t : (!m) -> !m
    scf.yield %s : !m
  }
  return %r : !m
}

// What a trip makes and writes it does not hand on: the variable of the loop is another tensor.
// CHECK-LABEL: func.func @not_handed_on(
// CHECK: scf.for {{.*}} iter_args(%{{[a-z0-9]+}} = %{{[a-z0-9]+}}) ->
// CHECK-NOT: arith.xori
// CHECK: return
func.func @not_handed_on(%x: !m, %v: !m, %c: i1, %n: i64) -> !m {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r = scf.for %i = %zero to %n step %one iter_args(%t = %x) -> !m : i64 {
    %y = aten.relu %t : (!m) -> !m
    %z = aten.tanh %t : (!m) -> !m
    %w = jit.overwrite %y, %v : (!m, !m) -> !m
    %b = scf.if %c -> !m {
      %u = aten.t %y : (!m) -> !m
      scf.yield %u : !m
    } else {
      %u = aten.t %z : (!m) -> !m
      scf.yield %u : !m
    }
    %s = aten.add.Tensor %b, %y, %i : (!m, !m, i64) -> !m
    scf.yield %s : !m
  }
  return %r : !m
}

// What was written before the loop is not written in a trip of it.
// CHECK-LABEL: func.func @written_before_the_loop(
// CHECK-NOT: arith.xori
// CHECK: return
func.func @written_before_the_loop(%x: !m, %v: !m, %c: i1, %n: i64) -> (!m, !m) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!m) -> !m
  %w = jit.overwrite %y, %v : (!m, !m) -> !m
  %r = scf.for %i = %zero to %n step %one iter_args(%t = %y) -> !m : i64 {
    %b = scf.if %c -> !m {
      scf.yield %t : !m
    } else {
      %z = aten.tanh %t : (!m) -> !m
      scf.yield %z : !m
    }
    scf.yield %b : !m
  }
  return %r, %y : !m, !m
}

// What is written is what the value is by then.
// CHECK-LABEL: func.func @value_of_a_name(
// CHECK-SAME: %[[X:[a-z0-9]+]]:{{.*}}%[[V:[a-z0-9]+]]:
// CHECK: return %[[V]]
func.func @value_of_a_name(%x: !m, %v: !m) -> !m {
  %y = aten.relu %x : (!m) -> !m
  %z = aten.tanh %x : (!m) -> !m
  %w = jit.overwrite %y, %v : (!m, !m) -> !m
  %u = jit.overwrite %z, %y : (!m, !m) -> !m
  return %z : !m
}
