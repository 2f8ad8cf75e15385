// RUN: jit-opt %s --jit-functionalize-tensors --canonicalize --cse | FileCheck %s

// Variables of a loop that become what a trip made: which of them show the same elements is a flag that the loop carries.

!m = !jit.tensor<[2,2],f32>

// In one way of a branch the second one is the first one turned, in the other one it is the first one: a flag for each.
// CHECK-LABEL: func.func @ways(
// CHECK-SAME: %[[A:[a-z0-9]+]]:{{.*}}%[[B:[a-z0-9]+]]:{{.*}}%[[C:[a-z0-9]+]]:{{.*}}%[[D:[a-z0-9]+]]:
// CHECK: %[[RELU:[a-z0-9_]+]] = aten.relu %[[A]]
// CHECK: %[[TANH:[a-z0-9_]+]] = aten.tanh %[[A]]
// CHECK: %[[FOR:[a-z0-9_]+]]:4 = scf.for %[[I:[a-z0-9_]+]] = %c0_i64 to %[[D]] step %c1_i64 iter_args(%[[V:[a-z0-9_]+]] = %[[RELU]], %[[V2:[a-z0-9_]+]] = %[[TANH]], %[[V3:[a-z0-9_]+]] = %false, %[[V4:[a-z0-9_]+]] = %false)
// CHECK: %[[IF:[a-z0-9_]+]] = scf.if %[[V3]]
// CHECK: %[[T:[a-z0-9_]+]] = aten.t %[[B]]
// CHECK: scf.yield %[[T]]
// CHECK: } else {
// CHECK: scf.yield %[[V2]]
// CHECK: %[[SELECT:[a-z0-9_]+]] = arith.select %[[V4]], %[[B]], %[[IF]]
// CHECK: %[[TANH2:[a-z0-9_]+]] = aten.tanh %[[SELECT]]
// CHECK: %[[SIGMOID:[a-z0-9_]+]] = aten.sigmoid %[[SELECT]]
// CHECK: %[[T2:[a-z0-9_]+]] = aten.t %[[TANH2]]
// CHECK: %[[XORI:[a-z0-9_]+]] = arith.xori %[[C]], %true
// CHECK: %[[SELECT2:[a-z0-9_]+]] = arith.select %[[C]], %[[TANH2]], %[[SIGMOID]]
// CHECK: %[[SELECT3:[a-z0-9_]+]] = arith.select %[[C]], %[[T2]], %[[SIGMOID]]
// CHECK: scf.yield %[[SELECT2]], %[[SELECT3]], %[[C]], %[[XORI]]
// CHECK: return %[[FOR]]#0, %[[FOR]]#1
func.func @ways(%x: !m, %v: !m, %c: i1, %n: i64) -> (!m, !m) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!m) -> !m
  %z = aten.tanh %x : (!m) -> !m
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%a = %y, %b = %z) -> (!m, !m) : i64 {
    %w = jit.overwrite %a, %v : (!m, !m) -> !m
    %s = aten.tanh %b : (!m) -> !m
    %q = aten.sigmoid %b : (!m) -> !m
    %turned = aten.t %s : (!m) -> !m
    %k:2 = scf.if %c -> (!m, !m) {
      scf.yield %s, %turned : !m, !m
    } else {
      scf.yield %q, %q : !m, !m
    }
    scf.yield %k#0, %k#1 : !m, !m
  }
  return %r#0, %r#1 : !m, !m
}

// The first one becomes what it began as, or the second one, which may be what that began as.
// CHECK-LABEL: func.func @outside(
// CHECK-SAME: %[[A:[a-z0-9]+]]:{{.*}}%[[B:[a-z0-9]+]]:{{.*}}%[[C:[a-z0-9]+]]:{{.*}}%[[D:[a-z0-9]+]]:
// CHECK: %[[RELU:[a-z0-9_]+]] = aten.relu %[[A]]
// CHECK: %[[TANH:[a-z0-9_]+]] = aten.tanh %[[A]]
// CHECK: %[[FOR:[a-z0-9_]+]]:7 = scf.for %[[I:[a-z0-9_]+]] = %c0_i64 to %[[D]] step %c1_i64 iter_args(%[[V:[a-z0-9_]+]] = %[[RELU]], %[[V2:[a-z0-9_]+]] = %[[TANH]], %[[V3:[a-z0-9_]+]] = %true, %[[V4:[a-z0-9_]+]] = %false, %[[V5:[a-z0-9_]+]] = %true, %[[V6:[a-z0-9_]+]] = %[[RELU]], %[[V7:[a-z0-9_]+]] = %[[TANH]])
// CHECK: %[[SELECT:[a-z0-9_]+]] = arith.select %[[V3]], %[[B]], %[[V6]]
// CHECK: %[[SELECT2:[a-z0-9_]+]] = arith.select %[[V4]], %[[B]], %[[V7]]
// CHECK: %[[SELECT3:[a-z0-9_]+]] = arith.select %[[V5]], %[[SELECT2]], %[[V2]]
// CHECK: %[[SIGMOID:[a-z0-9_]+]] = aten.sigmoid %[[SELECT3]]
// CHECK: %[[XORI:[a-z0-9_]+]] = arith.xori %[[C]], %true
// CHECK: %[[IF:[a-z0-9_]+]] = scf.if %[[C]]
// CHECK: scf.yield %[[SELECT]]
// CHECK: } else {
// CHECK: scf.yield %[[SELECT3]]
// CHECK: %[[ANDI:[a-z0-9_]+]] = arith.andi %[[V5]], %[[XORI]]
// CHECK: scf.yield %[[IF]], %[[SIGMOID]], %[[C]], %[[ANDI]], %false, %[[SELECT]], %[[SELECT2]]
// CHECK: return %[[FOR]]#0, %[[FOR]]#1, %[[FOR]]#5, %[[FOR]]#6
func.func @outside(%x: !m, %v: !m, %c: i1, %n: i64) -> (!m, !m, !m, !m) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!m) -> !m
  %z = aten.tanh %x : (!m) -> !m
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%a = %y, %b = %z) -> (!m, !m) : i64 {
    %w = jit.overwrite %a, %v : (!m, !m) -> !m
    %s = aten.sigmoid %b : (!m) -> !m
    %k = scf.if %c -> !m {
      scf.yield %y : !m
    } else {
      scf.yield %b : !m
    }
    scf.yield %k, %s : !m, !m
  }
  return %r#0, %r#1, %y, %z : !m, !m, !m, !m
}

// The third one becomes what the second one was, which nothing writes any more.
// CHECK-LABEL: func.func @three(
// CHECK-SAME: %[[A:[a-z0-9]+]]:{{.*}}%[[B:[a-z0-9]+]]:{{.*}}%[[C:[a-z0-9]+]]:
// CHECK: %[[RELU:[a-z0-9_]+]] = aten.relu %[[A]]
// CHECK: %[[TANH:[a-z0-9_]+]] = aten.tanh %[[A]]
// CHECK: %[[NEG:[a-z0-9_]+]] = aten.neg %[[A]]
// CHECK: %[[FOR:[a-z0-9_]+]]:4 = scf.for %[[I:[a-z0-9_]+]] = %c0_i64 to %[[C]] step %c1_i64 iter_args(%[[V:[a-z0-9_]+]] = %[[RELU]], %[[V2:[a-z0-9_]+]] = %[[TANH]], %[[V3:[a-z0-9_]+]] = %[[NEG]], %[[V4:[a-z0-9_]+]] = %false)
// CHECK: %[[IF:[a-z0-9_]+]] = scf.if %[[V4]]
// CHECK: %[[T:[a-z0-9_]+]] = aten.t %[[B]]
// CHECK: scf.yield %[[T]]
// CHECK: } else {
// CHECK: scf.yield %[[V2]]
// CHECK: %[[SIGMOID:[a-z0-9_]+]] = aten.sigmoid %[[IF]]
// CHECK: %[[T2:[a-z0-9_]+]] = aten.t %[[SIGMOID]]
// CHECK: scf.yield %[[SIGMOID]], %[[T2]], %[[IF]], %true
// CHECK: return %[[FOR]]#0, %[[FOR]]#1, %[[FOR]]#2
func.func @three(%x: !m, %v: !m, %n: i64) -> (!m, !m, !m) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!m) -> !m
  %z = aten.tanh %x : (!m) -> !m
  %u = aten.neg %x : (!m) -> !m
  %r:3 = scf.for %i = %zero to %n step %one iter_args(%a = %y, %b = %z, %c = %u) -> (!m, !m, !m) : i64 {
    %w = jit.overwrite %a, %v : (!m, !m) -> !m
    %s = aten.sigmoid %b : (!m) -> !m
    %t = aten.t %s : (!m) -> !m
    scf.yield %s, %t, %b : !m, !m, !m
  }
  return %r#0, %r#1, %r#2 : !m, !m, !m
}

// Two operations that turn one tensor give the same elements.
// CHECK-LABEL: func.func @alike(
// CHECK-SAME: %[[A:[a-z0-9]+]]:{{.*}}%[[B:[a-z0-9]+]]:{{.*}}%[[C:[a-z0-9]+]]:
// CHECK: %[[RELU:[a-z0-9_]+]] = aten.relu %[[A]]
// CHECK: %[[TANH:[a-z0-9_]+]] = aten.tanh %[[A]]
// CHECK: %[[FOR:[a-z0-9_]+]]:3 = scf.for %[[I:[a-z0-9_]+]] = %c0_i64 to %[[C]] step %c1_i64 iter_args(%[[V:[a-z0-9_]+]] = %[[RELU]], %[[V2:[a-z0-9_]+]] = %[[TANH]], %[[V3:[a-z0-9_]+]] = %false)
// CHECK: %[[SELECT:[a-z0-9_]+]] = arith.select %[[V3]], %[[B]], %[[V2]]
// CHECK: %[[SIGMOID:[a-z0-9_]+]] = aten.sigmoid %[[SELECT]]
// CHECK: %[[T:[a-z0-9_]+]] = aten.t %[[SIGMOID]]
// CHECK: scf.yield %[[T]], %[[T]], %true
// CHECK: return %[[FOR]]#0, %[[FOR]]#1
func.func @alike(%x: !m, %v: !m, %n: i64) -> (!m, !m) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!m) -> !m
  %z = aten.tanh %x : (!m) -> !m
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%a = %y, %b = %z) -> (!m, !m) : i64 {
    %w = jit.overwrite %a, %v : (!m, !m) -> !m
    %s = aten.sigmoid %b : (!m) -> !m
    %t = aten.t %s : (!m) -> !m
    %u = aten.t %s : (!m) -> !m
    scf.yield %t, %u : !m, !m
  }
  return %r#0, %r#1 : !m, !m
}
