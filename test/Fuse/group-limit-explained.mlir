// What a full group feeds is alone, and is told why.
// RUN: jit-opt %s --jit-explain --jit-fuse-pointwise -o /dev/null 2>&1 | FileCheck %s

// CHECK: 'aten.sin' shares its pass with no other operator: what feeds it shares one with as many as may
func.func @chain(%x: !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32> {
  %0 = aten.sin %x : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %1 = aten.sin %0 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %2 = aten.sin %1 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %3 = aten.sin %2 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %4 = aten.sin %3 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %5 = aten.sin %4 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %6 = aten.sin %5 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %7 = aten.sin %6 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %8 = aten.sin %7 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %9 = aten.sin %8 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %10 = aten.sin %9 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %11 = aten.sin %10 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %12 = aten.sin %11 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %13 = aten.sin %12 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %14 = aten.sin %13 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %15 = aten.sin %14 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %16 = aten.sin %15 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %17 = aten.sin %16 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %18 = aten.sin %17 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %19 = aten.sin %18 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %20 = aten.sin %19 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %21 = aten.sin %20 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %22 = aten.sin %21 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %23 = aten.sin %22 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %24 = aten.sin %23 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %25 = aten.sin %24 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %26 = aten.sin %25 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %27 = aten.sin %26 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %28 = aten.sin %27 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %29 = aten.sin %28 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %30 = aten.sin %29 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %31 = aten.sin %30 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %32 = aten.sin %31 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %33 = aten.sin %32 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %34 = aten.sin %33 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %35 = aten.sin %34 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %36 = aten.sin %35 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %37 = aten.sin %36 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %38 = aten.sin %37 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %39 = aten.sin %38 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %40 = aten.sin %39 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %41 = aten.sin %40 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %42 = aten.sin %41 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %43 = aten.sin %42 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %44 = aten.sin %43 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %45 = aten.sin %44 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %46 = aten.sin %45 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %47 = aten.sin %46 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %48 = aten.sin %47 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %49 = aten.sin %48 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %50 = aten.sin %49 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %51 = aten.sin %50 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %52 = aten.sin %51 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %53 = aten.sin %52 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %54 = aten.sin %53 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %55 = aten.sin %54 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %56 = aten.sin %55 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %57 = aten.sin %56 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %58 = aten.sin %57 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %59 = aten.sin %58 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %60 = aten.sin %59 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %61 = aten.sin %60 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %62 = aten.sin %61 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %63 = aten.sin %62 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %64 = aten.sin %63 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  return %64 : !jit.tensor<[4],f32>
}
