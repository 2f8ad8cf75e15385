// RUN: jit-opt %s --jit-expand-gradients --split-input-file --verify-diagnostics

// What only a call knows of a request for gradients.

func.func @outputs(%x: !jit.tensor<[],f32> {jit.requires_grad}, %outputs: !jit.list<!jit.tensor>) -> !jit.tensor<[],f32> {
  %none = jit.constant !jit.none = unit
  %true = arith.constant true
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %f = aten.sin %x : (!jit.tensor<[],f32>) -> !jit.tensor<[],f32>
  %inputs = jit.list %x : (!jit.tensor<[],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %none : (!jit.none) -> !jit.list<!jit.optional<!jit.tensor>>
  // expected-error@+1 {{expected lists of known length and known flags}}
  %g = aten._gradient %outputs, %inputs, %weights, %zero, %true, %false : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[],f32>
  return %g : !jit.tensor<[],f32>
}

// -----

func.func @inputs(%x: !jit.tensor<[],f32> {jit.requires_grad}, %inputs: !jit.list<!jit.tensor>) -> !jit.tensor<[],f32> {
  %none = jit.constant !jit.none = unit
  %true = arith.constant true
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %f = aten.sin %x : (!jit.tensor<[],f32>) -> !jit.tensor<[],f32>
  %outputs = jit.list %f : (!jit.tensor<[],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %none : (!jit.none) -> !jit.list<!jit.optional<!jit.tensor>>
  // expected-error@+1 {{expected lists of known length and known flags}}
  %g = aten._gradient %outputs, %inputs, %weights, %zero, %true, %false : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[],f32>
  return %g : !jit.tensor<[],f32>
}

// -----

func.func @weights(%x: !jit.tensor<[],f32> {jit.requires_grad}, %weights: !jit.list<!jit.optional<!jit.tensor>>) -> !jit.tensor<[],f32> {
  %none = jit.constant !jit.none = unit
  %true = arith.constant true
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %f = aten.sin %x : (!jit.tensor<[],f32>) -> !jit.tensor<[],f32>
  %outputs = jit.list %f : (!jit.tensor<[],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %x : (!jit.tensor<[],f32>) -> !jit.list<!jit.tensor>
  // expected-error@+1 {{expected lists of known length and known flags}}
  %g = aten._gradient %outputs, %inputs, %weights, %zero, %true, %false : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[],f32>
  return %g : !jit.tensor<[],f32>
}

// -----

func.func @more_weights(%x: !jit.tensor<[],f32> {jit.requires_grad}) -> !jit.tensor<[],f32> {
  %none = jit.constant !jit.none = unit
  %true = arith.constant true
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %f = aten.sin %x : (!jit.tensor<[],f32>) -> !jit.tensor<[],f32>
  %outputs = jit.list %f : (!jit.tensor<[],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %x : (!jit.tensor<[],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %none, %none : (!jit.none, !jit.none) -> !jit.list<!jit.optional<!jit.tensor>>
  // expected-error@+1 {{expected lists of known length and known flags}}
  %g = aten._gradient %outputs, %inputs, %weights, %zero, %true, %false : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[],f32>
  return %g : !jit.tensor<[],f32>
}

// -----

func.func @index(%x: !jit.tensor<[],f32> {jit.requires_grad}, %i: i64) -> !jit.tensor<[],f32> {
  %none = jit.constant !jit.none = unit
  %true = arith.constant true
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %f = aten.sin %x : (!jit.tensor<[],f32>) -> !jit.tensor<[],f32>
  %outputs = jit.list %f : (!jit.tensor<[],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %x : (!jit.tensor<[],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %none : (!jit.none) -> !jit.list<!jit.optional<!jit.tensor>>
  // expected-error@+1 {{expected lists of known length and known flags}}
  %g = aten._gradient %outputs, %inputs, %weights, %i, %true, %false : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[],f32>
  return %g : !jit.tensor<[],f32>
}

// -----

func.func @create_graph(%x: !jit.tensor<[],f32> {jit.requires_grad}, %is: i1) -> !jit.tensor<[],f32> {
  %none = jit.constant !jit.none = unit
  %true = arith.constant true
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %f = aten.sin %x : (!jit.tensor<[],f32>) -> !jit.tensor<[],f32>
  %outputs = jit.list %f : (!jit.tensor<[],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %x : (!jit.tensor<[],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %none : (!jit.none) -> !jit.list<!jit.optional<!jit.tensor>>
  // expected-error@+1 {{expected lists of known length and known flags}}
  %g = aten._gradient %outputs, %inputs, %weights, %zero, %is, %false : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[],f32>
  return %g : !jit.tensor<[],f32>
}

// -----

func.func @allow_unused(%x: !jit.tensor<[],f32> {jit.requires_grad}, %is: i1) -> !jit.tensor<[],f32> {
  %none = jit.constant !jit.none = unit
  %true = arith.constant true
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %f = aten.sin %x : (!jit.tensor<[],f32>) -> !jit.tensor<[],f32>
  %outputs = jit.list %f : (!jit.tensor<[],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %x : (!jit.tensor<[],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %none : (!jit.none) -> !jit.list<!jit.optional<!jit.tensor>>
  // expected-error@+1 {{expected lists of known length and known flags}}
  %g = aten._gradient %outputs, %inputs, %weights, %zero, %true, %is : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[],f32>
  return %g : !jit.tensor<[],f32>
}
