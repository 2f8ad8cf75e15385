//===- WinogradOp.td - convolutions by Winograd's tiles ----*- tablegen -*-===//
#ifndef JIT_CODEGEN_PRODUCTS_WINOGRADOP
#define JIT_CODEGEN_PRODUCTS_WINOGRADOP

include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Winograd_Dialect : Dialect {
  let name = "winograd";
  let cppNamespace = "::jit::winograd";
  let summary = "convolutions between their choice and their emission";
}

def Winograd_Image : AnyTypeOf<[4DTensorOf<[F32]>, MemRefRankOf<[F32], [4]>]>;

def Winograd_ConvOp : Op<Winograd_Dialect, "conv", [
    DestinationStyleOpInterface, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<BufferizableOpInterface,
      ["bufferizesToMemoryRead", "bufferizesToMemoryWrite", "getAliasingValues", "bufferize"]>]> {
  let summary = "Adds a convolution of stride 1, computed tile by tile";
  let description = [{
    `out[n, h, w, o] += sum(c, y, x) image[n, h + y, w + x, c] * weight[o, c, y, x]` for square kernels of `taps` elements a
    side. A tile of `tile` x `tile` outputs is a linear form of `tile + taps - 1` squared products between what the
    image's and what the weight's part of the tile are transformed to.

    - `image`: `[batch, height, width, channels]`, its padding included;
    - `weights`: transformed, `[features / lanes, (tile + taps - 1)^2, channels, lanes]`, features padded with zeros;
    - `out`: `[batch, height - taps + 1, width - taps + 1, features]`.

    ```mlir
    %r = winograd.conv tile 4 taps 3 ins(%image, %weights : tensor<1x30x30x64xf32>, tensor<2x36x64x32xf32>)
                                     outs(%start : tensor<1x28x28x64xf32>) -> tensor<1x28x28x64xf32>
    ```
  }];
  let arguments = (ins Winograd_Image:$image, Winograd_Image:$weights, Winograd_Image:$out,
                       ConfinedAttr<I64Attr, [IntPositive]>:$tile, ConfinedAttr<I64Attr, [IntPositive]>:$taps);
  let results = (outs Variadic<4DTensorOf<[F32]>>:$results);
  let assemblyFormat = [{
    `tile` $tile `taps` $taps `ins` `(` $image `,` $weights `:` type($image) `,` type($weights) `)`
    `outs` `(` $out `:` type($out) `)` (`->` type($results)^)? attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutMutable(); }
  }];
}

#endif // JIT_CODEGEN_PRODUCTS_WINOGRADOP
