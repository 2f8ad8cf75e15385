// RUN: jit-opt %s --jit-resolve-autocast | FileCheck %s

// Inside of the region operands are cast; after it they are not.
// CHECK-LABEL: func.func @region
//   CHECK-DAG: %[[TRUE:.*]] = arith.constant true
//   CHECK-DAG: %[[BF16:.*]] = arith.constant 15 : i64
//       CHECK: %[[A:.*]] = aten.autocast_to %arg0, %{{.*}}, %[[TRUE]], %[[BF16]]
//       CHECK: %[[B:.*]] = aten.autocast_to %arg1
//       CHECK: %[[Y:.*]] = aten.mm %[[A]], %[[B]]
//   CHECK-NOT: autocast
//       CHECK: aten.mm %[[Y]], %arg0
func.func @region(%x: !jit.tensor, %w: !jit.tensor) -> !jit.tensor {
  %cpu = jit.constant !jit.str = "cpu"
  %true = arith.constant true
  %bf16 = arith.constant 15 : i64
  %before = aten.autocast_enabled %cpu : (!jit.str) -> i1
  %type = aten.get_autocast_dtype %cpu : (!jit.str) -> i64
  aten.set_autocast %cpu, %true, %bf16 : (!jit.str, i1, i64) -> ()
  %0 = aten.mm %x, %w : (!jit.tensor, !jit.tensor) -> !jit.tensor
  aten.set_autocast %cpu, %before, %type : (!jit.str, i1, i64) -> ()
  %1 = aten.mm %0, %x : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %1 : !jit.tensor
}

// An operator of PyTorch's list for f32 is computed in that; one that is on no list as it is.
// CHECK-LABEL: func.func @to_float
//       CHECK: %[[F32:.*]] = arith.constant 6 : i64
//       CHECK: %[[X:.*]] = aten.autocast_to %arg0, %{{.*}}, %{{.*}}, %[[F32]]
//       CHECK: %[[Y:.*]] = aten.trace %[[X]]
//       CHECK: aten.exp %[[Y]]
func.func @to_float(%x: !jit.tensor) -> !jit.tensor {
  %cpu = jit.constant !jit.str = "cpu"
  %true = arith.constant true
  %bf16 = arith.constant 15 : i64
  aten.set_autocast %cpu, %true, %bf16 : (!jit.str, i1, i64) -> ()
  %0 = aten.trace %x : (!jit.tensor) -> !jit.tensor
  %1 = aten.exp %0 : (!jit.tensor) -> !jit.tensor
  return %1 : !jit.tensor
}

// Each device has lists of its own: of tensors on a GPU an exponential is computed in f32.
// CHECK-LABEL: func.func @cuda
//       CHECK: %[[F32:.*]] = arith.constant 6 : i64
//       CHECK: %[[X:.*]] = aten.autocast_to %arg0, %{{.*}}, %{{.*}}, %[[F32]]
//       CHECK: %[[Y:.*]] = aten.exp %[[X]]
//       CHECK: aten.trace %[[Y]]
func.func @cuda(%x: !jit.tensor) -> !jit.tensor {
  %cuda = jit.constant !jit.str = "cuda"
  %true = arith.constant true
  %f16 = arith.constant 5 : i64
  aten.set_autocast %cuda, %true, %f16 : (!jit.str, i1, i64) -> ()
  %0 = aten.exp %x : (!jit.tensor) -> !jit.tensor
  %1 = aten.trace %0 : (!jit.tensor) -> !jit.tensor
  return %1 : !jit.tensor
}

// A loop that leaves what it enters changes nothing for what follows it.
// CHECK-LABEL: func.func @loop
//       CHECK: scf.for
//       CHECK:   aten.autocast_to
//       CHECK: scf.yield
//   CHECK-NOT: autocast
//       CHECK: return
func.func @loop(%x: !jit.tensor, %n: i64) -> !jit.tensor {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> (!jit.tensor) : i64 {
    %cpu = jit.constant !jit.str = "cpu"
    %true = arith.constant true
    %bf16 = arith.constant 15 : i64
    %before = aten.autocast_enabled %cpu : (!jit.str) -> i1
    %type = aten.get_autocast_dtype %cpu : (!jit.str) -> i64
    aten.set_autocast %cpu, %true, %bf16 : (!jit.str, i1, i64) -> ()
    %1 = aten.mm %t, %x : (!jit.tensor, !jit.tensor) -> !jit.tensor
    aten.set_autocast %cpu, %before, %type : (!jit.str, i1, i64) -> ()
    scf.yield %1 : !jit.tensor
  }
  %2 = aten.mm %0, %x : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %2 : !jit.tensor
}

// What writes to a tensor that was there takes its operands as they are.
// CHECK-LABEL: func.func @in_place
//   CHECK-NOT: autocast
//       CHECK: aten.addmm %arg0, %arg1, %arg1
func.func @in_place(%x: !jit.tensor, %y: !jit.tensor) -> !jit.tensor {
  %cpu = jit.constant !jit.str = "cpu"
  %true = arith.constant true
  %bf16 = arith.constant 15 : i64
  %one = arith.constant 1 : i64
  aten.set_autocast %cpu, %true, %bf16 : (!jit.str, i1, i64) -> ()
  %0 = aten.addmm %x, %y, %y, %one, %one : (!jit.tensor, !jit.tensor, !jit.tensor, i64, i64) -> !jit.tensor
  %1 = jit.overwrite %x, %0 : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %1 : !jit.tensor
}

// A bias that may be None is cast where it is not.
// CHECK-LABEL: func.func @optional
//       CHECK: %[[NONE:.*]] = aten.__is__ %arg1
//       CHECK: %[[B:.*]] = scf.if %[[NONE]]
//       CHECK:   scf.yield %arg1
//       CHECK:   aten.autocast_to
//       CHECK: aten.linear %{{.*}}, %{{.*}}, %[[B]]
func.func @optional(%x: !jit.tensor, %b: !jit.optional<!jit.tensor>) -> !jit.tensor {
  %cpu = jit.constant !jit.str = "cpu"
  %true = arith.constant true
  %bf16 = arith.constant 15 : i64
  aten.set_autocast %cpu, %true, %bf16 : (!jit.str, i1, i64) -> ()
  %0 = aten.linear %x, %x, %b : (!jit.tensor, !jit.tensor, !jit.optional<!jit.tensor>) -> !jit.tensor
  return %0 : !jit.tensor
}

// What PyTorch makes of several operators says in which region it does.
// CHECK-LABEL: func.func @parts
//       CHECK: aten.inner %arg0, %arg0 {jit.autocast = {cpu = 15 : i64}}
func.func @parts(%x: !jit.tensor) -> !jit.tensor {
  %cpu = jit.constant !jit.str = "cpu"
  %true = arith.constant true
  %bf16 = arith.constant 15 : i64
  aten.set_autocast %cpu, %true, %bf16 : (!jit.str, i1, i64) -> ()
  %0 = aten.inner %x, %x : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %0 : !jit.tensor
}

// On the CPU a region of f32 is none; a type that is a value is asked.
// CHECK-LABEL: func.func @types
//   CHECK-DAG: %[[BF16:.*]] = arith.cmpi eq, %arg1, %{{.*}}
//       CHECK: %[[ENABLED:.*]] = arith.andi
//       CHECK: return %{{.*}}, %[[ENABLED]]
func.func @types(%x: !jit.tensor, %type: i64, %on: i1) -> (i1, i1) {
  %cpu = jit.constant !jit.str = "cpu"
  %true = arith.constant true
  %f32 = arith.constant 6 : i64
  aten.set_autocast %cpu, %true, %f32 : (!jit.str, i1, i64) -> ()
  %0 = aten.is_autocast_cpu_enabled : () -> i1
  aten.set_autocast %cpu, %on, %type : (!jit.str, i1, i64) -> ()
  %1 = aten.is_autocast_cpu_enabled : () -> i1
  return %0, %1 : i1, i1
}

// Where it depends on a value whether a region is one, the casts do.
// CHECK-LABEL: func.func @flag
//       CHECK: aten.autocast_to %arg0, %{{.*}}, %arg1
func.func @flag(%x: !jit.tensor, %on: i1) -> !jit.tensor {
  %cpu = jit.constant !jit.str = "cpu"
  %bf16 = arith.constant 15 : i64
  aten.set_autocast %cpu, %on, %bf16 : (!jit.str, i1, i64) -> ()
  %0 = aten.mm %x, %x : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %0 : !jit.tensor
}

// What ends with a product in PyTorch is computed as it is, and cast.
// CHECK-LABEL: func.func @result
//       CHECK: %[[Y:.*]] = aten.linalg_pinv %arg0
//       CHECK: %[[CAST:.*]] = aten.autocast_to %[[Y]]
//       CHECK: return %[[CAST]]
func.func @result(%x: !jit.tensor) -> !jit.tensor {
  %cpu = jit.constant !jit.str = "cpu"
  %true = arith.constant true
  %bf16 = arith.constant 15 : i64
  %least = arith.constant 1.0e-5 : f64
  aten.set_autocast %cpu, %true, %bf16 : (!jit.str, i1, i64) -> ()
  %0 = aten.linalg_pinv %x, %least, %true : (!jit.tensor, f64, i1) -> !jit.tensor
  return %0 : !jit.tensor
}

// A cell says what its products are to be cast to; its state is none of the region's.
// CHECK-LABEL: func.func @cell
//       CHECK: aten.gru_cell %arg0, %arg1, %arg2, %arg3
//  CHECK-SAME:   jit.autocast = {cpu = 15 : i64
func.func @cell(%x: !jit.tensor, %h: !jit.tensor, %w: !jit.tensor, %v: !jit.tensor) -> !jit.tensor {
  %cpu = jit.constant !jit.str = "cpu"
  %true = arith.constant true
  %bf16 = arith.constant 15 : i64
  %none = jit.constant !jit.none = unit
  aten.set_autocast %cpu, %true, %bf16 : (!jit.str, i1, i64) -> ()
  %0 = aten.gru_cell %x, %h, %w, %v, %none, %none
      : (!jit.tensor, !jit.tensor, !jit.tensor, !jit.tensor, !jit.none, !jit.none) -> !jit.tensor
  return %0 : !jit.tensor
}
