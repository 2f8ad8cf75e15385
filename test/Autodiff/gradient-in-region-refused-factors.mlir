// RUN: jit-opt %s --split-input-file --jit-expand-gradients --verify-diagnostics

// A tensor that is a factor, which is cast, and the bias, which is not; and operators whose backward pass PyTorch builds of products that
// a region casts.

func.func @same(%x: !jit.tensor<[3,3],f32>, %w: !jit.tensor<[3,3],f32>, %weight: !jit.tensor<[3,3],f32>) -> (!jit.tensor<[3,3],f32>) {
  %false = arith.constant false
  %true = arith.constant true
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %l = aten._leaf %x : (!jit.tensor<[3,3],f32>) -> !jit.tensor<[3,3],f32>
  // expected-error @below {{expected, where autocast is enabled, no gradient of 'aten.addmm' in an element type that the region casts}}
  %y = aten.addmm %l, %l, %w, %1, %1 : (!jit.tensor<[3,3],f32>, !jit.tensor<[3,3],f32>, !jit.tensor<[3,3],f32>, i64, i64) -> !jit.tensor<[3,3],f32>
  %outputs = jit.list %y : (!jit.tensor<[3,3],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %l : (!jit.tensor<[3,3],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %weight : (!jit.tensor<[3,3],f32>) -> !jit.list<!jit.optional<!jit.tensor>>
  %g0 = aten._gradient %outputs, %inputs, %weights, %0, %false, %false {jit.autocast = {cpu = 15 : i64}} : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[3,3],f32>
  return %g0 : !jit.tensor<[3,3],f32>
}

// -----

func.func @same_second(%x: !jit.tensor<[3,3],f32>, %w: !jit.tensor<[3,3],f32>, %weight: !jit.tensor<[3,3],f32>) -> (!jit.tensor<[3,3],f32>) {
  %false = arith.constant false
  %true = arith.constant true
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %l = aten._leaf %x : (!jit.tensor<[3,3],f32>) -> !jit.tensor<[3,3],f32>
  // expected-error @below {{expected, where autocast is enabled, no gradient of 'aten.addmm' in an element type that the region casts}}
  %y = aten.addmm %l, %w, %l, %1, %1 : (!jit.tensor<[3,3],f32>, !jit.tensor<[3,3],f32>, !jit.tensor<[3,3],f32>, i64, i64) -> !jit.tensor<[3,3],f32>
  %outputs = jit.list %y : (!jit.tensor<[3,3],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %l : (!jit.tensor<[3,3],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %weight : (!jit.tensor<[3,3],f32>) -> !jit.list<!jit.optional<!jit.tensor>>
  %g0 = aten._gradient %outputs, %inputs, %weights, %0, %false, %false {jit.autocast = {cpu = 15 : i64}} : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[3,3],f32>
  return %g0 : !jit.tensor<[3,3],f32>
}

// -----

func.func @f_linalg_vecdot(%x: !jit.tensor<[3,3],f32>, %w: !jit.tensor<[3,3],f32>, %v0: !jit.tensor<[3],f32>, %v: !jit.tensor<[3],f32>, %b: !jit.tensor<[2,3,3],f32>, %x3: !jit.tensor<[2,3,3],f32>, %w3: !jit.tensor<[2,3,3],f32>, %b3: !jit.tensor<[2,3,3],f32>, %weight: !jit.tensor<[3],f32>) -> (!jit.tensor<[3,3],f32>) {
  %false = arith.constant false
  %true = arith.constant true
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %none = jit.constant !jit.none = unit
  %two = arith.constant 2 : i64
  %minus = arith.constant -1 : i64
  %p = arith.constant 2.0 : f64
  %d = jit.list %1 : (i64) -> !jit.list<i64>
  %l = aten._leaf %x : (!jit.tensor<[3,3],f32>) -> !jit.tensor<[3,3],f32>
  %k = aten._leaf %v0 : (!jit.tensor<[3],f32>) -> !jit.tensor<[3],f32>
  %l3 = aten._leaf %x3 : (!jit.tensor<[2,3,3],f32>) -> !jit.tensor<[2,3,3],f32>
  // expected-error @below {{expected, where autocast is enabled, no gradient of 'aten.linalg_vecdot' in an element type that the region casts}}
  %y = aten.linalg_vecdot %l, %w, %minus : (!jit.tensor<[3,3],f32>, !jit.tensor<[3,3],f32>, i64) -> !jit.tensor<[3],f32>
  %outputs = jit.list %y : (!jit.tensor<[3],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %l : (!jit.tensor<[3,3],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %weight : (!jit.tensor<[3],f32>) -> !jit.list<!jit.optional<!jit.tensor>>
  %g0 = aten._gradient %outputs, %inputs, %weights, %0, %false, %false {jit.autocast = {cpu = 15 : i64}} : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[3,3],f32>
  return %g0 : !jit.tensor<[3,3],f32>
}

// -----

func.func @f_addbmm(%x: !jit.tensor<[3,3],f32>, %w: !jit.tensor<[3,3],f32>, %v0: !jit.tensor<[3],f32>, %v: !jit.tensor<[3],f32>, %b: !jit.tensor<[2,3,3],f32>, %x3: !jit.tensor<[2,3,3],f32>, %w3: !jit.tensor<[2,3,3],f32>, %b3: !jit.tensor<[2,3,3],f32>, %weight: !jit.tensor<[3,3],f32>) -> (!jit.tensor<[3,3],f32>) {
  %false = arith.constant false
  %true = arith.constant true
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %none = jit.constant !jit.none = unit
  %two = arith.constant 2 : i64
  %minus = arith.constant -1 : i64
  %p = arith.constant 2.0 : f64
  %d = jit.list %1 : (i64) -> !jit.list<i64>
  %l = aten._leaf %x : (!jit.tensor<[3,3],f32>) -> !jit.tensor<[3,3],f32>
  %k = aten._leaf %v0 : (!jit.tensor<[3],f32>) -> !jit.tensor<[3],f32>
  %l3 = aten._leaf %x3 : (!jit.tensor<[2,3,3],f32>) -> !jit.tensor<[2,3,3],f32>
  // expected-error @below {{expected, where autocast is enabled, no gradient of 'aten.addbmm' in an element type that the region casts}}
  %y = aten.addbmm %l, %l3, %w3, %1, %1 : (!jit.tensor<[3,3],f32>, !jit.tensor<[2,3,3],f32>, !jit.tensor<[2,3,3],f32>, i64, i64) -> !jit.tensor<[3,3],f32>
  %outputs = jit.list %y : (!jit.tensor<[3,3],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %l : (!jit.tensor<[3,3],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %weight : (!jit.tensor<[3,3],f32>) -> !jit.list<!jit.optional<!jit.tensor>>
  %g0 = aten._gradient %outputs, %inputs, %weights, %0, %false, %false {jit.autocast = {cpu = 15 : i64}} : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[3,3],f32>
  return %g0 : !jit.tensor<[3,3],f32>
}
