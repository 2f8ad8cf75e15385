// RUN: jit-opt %s --jit-infer-types | FileCheck %s

// A number made by doubling forty times is looked at once for each step, not once for each way to it.

// CHECK: aten.slice.Tensor {{.*}} -> !jit.tensor<[?],f32>
func.func @forward(%x: !jit.tensor<[8],f32>, %n: i64) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %0 = arith.addi %n, %n : i64
  %1 = arith.addi %0, %0 : i64
  %2 = arith.addi %1, %1 : i64
  %3 = arith.addi %2, %2 : i64
  %4 = arith.addi %3, %3 : i64
  %5 = arith.addi %4, %4 : i64
  %6 = arith.addi %5, %5 : i64
  %7 = arith.addi %6, %6 : i64
  %8 = arith.addi %7, %7 : i64
  %9 = arith.addi %8, %8 : i64
  %10 = arith.addi %9, %9 : i64
  %11 = arith.addi %10, %10 : i64
  %12 = arith.addi %11, %11 : i64
  %13 = arith.addi %12, %12 : i64
  %14 = arith.addi %13, %13 : i64
  %15 = arith.addi %14, %14 : i64
  %16 = arith.addi %15, %15 : i64
  %17 = arith.addi %16, %16 : i64
  %18 = arith.addi %17, %17 : i64
  %19 = arith.addi %18, %18 : i64
  %20 = arith.addi %19, %19 : i64
  %21 = arith.addi %20, %20 : i64
  %22 = arith.addi %21, %21 : i64
  %23 = arith.addi %22, %22 : i64
  %24 = arith.addi %23, %23 : i64
  %25 = arith.addi %24, %24 : i64
  %26 = arith.addi %25, %25 : i64
  %27 = arith.addi %26, %26 : i64
  %28 = arith.addi %27, %27 : i64
  %29 = arith.addi %28, %28 : i64
  %30 = arith.addi %29, %29 : i64
  %31 = arith.addi %30, %30 : i64
  %32 = arith.addi %31, %31 : i64
  %33 = arith.addi %32, %32 : i64
  %34 = arith.addi %33, %33 : i64
  %35 = arith.addi %34, %34 : i64
  %36 = arith.addi %35, %35 : i64
  %37 = arith.addi %36, %36 : i64
  %38 = arith.addi %37, %37 : i64
  %39 = arith.addi %38, %38 : i64
  %part = aten.slice.Tensor %x, %zero, %n, %39, %one : (!jit.tensor<[8],f32>, i64, i64, i64, i64) -> !jit.tensor
  return %part : !jit.tensor
}
