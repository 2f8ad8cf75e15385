//===- Passes.td - products (matmul, convolution) on CPU ---*- tablegen -*-===//
#ifndef JIT_CODEGEN_PRODUCTS_PASSES
#define JIT_CODEGEN_PRODUCTS_PASSES

include "mlir/Pass/PassBase.td"

defvar machineOptions = [
  Option<"lanes", "lanes", "int64_t", "8", "f32 elements in one vector register">,
  Option<"registers", "registers", "int64_t", "16", "architectural vector registers">,
  Option<"l1Bytes", "l1-bytes", "int64_t", "32768", "size of the first-level data cache">,
  Option<"l2Bytes", "l2-bytes", "int64_t", "524288", "size of the second-level cache">
];

class ProductPass<string name> : Pass<name, "::mlir::func::FuncOp"> {
  let options = machineOptions;
}

def FoldTransposes : Pass<"jit-fold-transposes", "::mlir::func::FuncOp"> {
  let summary = "products read transposed operands where they lie";
  let description = [{
    An operand that linalg.transpose has made is replaced by what it was made from, and the product's map says
    the rest. `a^T b` then reads both operands along their rows, without a copy of either; where rows
    run the wrong way, packing copies once and not twice. An operand that is transposed and then padded, as for the
    gradient of a convolution's weight, is padded first.

    *Needs*: products as linalg.generic on tensors.
    *Gives*: the same products.
    *Refuses*: nothing; named operations, whose maps are fixed, stay as they are.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

def PrepareFactors : ProductPass<"jit-prepare-factors"> {
  let summary = "bring factors of f16 and bf16 into the form in which they are multiplied";
  let description = [{
    Sums of such products are f32. A factor that a call brings, and that is multiplied often, is widened as a whole before; one
    that is read about as often as it would be copied, and weights, which should be read fast, are widened as they are read.
    Factors of windows are always widened.
    On a machine that multiplies pairs of bf16 (`pairs`), two matrices are made of pairs along the dimension that is
    summed: each word of 32 bits holds two elements, there are half as many steps, and weights still take two bytes an element. The
    machine takes subnormal factors for zero.

    *Needs*: products as linalg.generic on tensors, transposes folded.
    *Gives*: products of f32, of narrower factors that the body widens, or of pairs in i32.
    *Refuses*: nothing; an odd number of terms, and matrices in batches, are not paired.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect", "::mlir::vector::VectorDialect"];
  let options = !listconcat(machineOptions, [
    Option<"pairs", "pairs", "bool", "false", "one instruction adds products of pairs of bf16 to an f32">
  ]);
}

def FoldWindows : Pass<"jit-fold-windows", "::mlir::func::FuncOp"> {
  let summary = "products read windows where they lie";
  let description = [{
    A convolution by hand is a matrix of windows (unfold) and a product with it. The dimensions of the matrix
    are taken apart into channels, taps and positions again, and the product reads the image itself: it
    is then the convolution that it meant, and the matrix is never made.

    *Needs*: products as linalg.generic on tensors, transposes folded.
    *Gives*: products with the maps of convolutions; what follows one keeps to its dimensions.
    *Refuses*: nothing; windows that others read are still made for them.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ChannelsLast : ProductPass<"jit-channels-last"> {
  let summary = "keep images with their channels side by side";
  let description = [{
    Between convolutions over two dimensions or more images lie as `[batch, positions..., channels]`: a product
    then reads the channels that it sums, and stores those that it gives, front to back, and a depthwise convolution
    is vectors of channels. What is computed from an image element by element or window by window, padding, slices
    and pooling follow; loops of any other kind read images where they lie. Where something asks for the
    order of the program (an argument, a result, a flattened image), a linalg.transpose stands.

    *Needs*: convolutions as linalg.generic with the loops that Lower gives them; tensors.
    *Gives*: the same function, its images in another order.
    *Refuses*: nothing; a function in which more than half as many elements would change their order as its
    convolutions read and write stays as it is, and so do convolutions of few channels, and of groups of several.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def StorePadded : Pass<"jit-store-padded", "::mlir::func::FuncOp"> {
  let summary = "compute images inside of their padding";
  let description = [{
    A padded image is a tensor into which the image is inserted and whose borders are filled. Bufferization lets what
    computes the image compute it there, so that nothing is copied; other readers of the image read that slice.

    *Needs*: tensors, four dimensions or more, of known sizes.
    *Gives*: tensor.insert_slice and linalg.fill in place of tensor.pad.
    *Refuses*: nothing; padding that is not a constant, or lengthens rows, stays.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def UseWinograd : ProductPass<"jit-use-winograd"> {
  let summary = "compute convolutions of 3x3 tile by tile, with fewer products";
  let description = [{
    A tile of 4x4 outputs is a linear form of 36 products for each channel, where the sums take 144; one of 2x2
    takes 16 for 36. What the weights are multiplied to lies ready in the packed weights; images are transformed as they are
    read, a group of tiles at a time, and sums as they are stored. A model weighs products and weights read
    against both transforms.

    *Needs*: convolutions as linalg.generic with channels last; tensors; weights that are `jit.weight` arguments.
    *Gives*: winograd.conv for those that gain, and their weights transformed, which a pass that moves what depends on
    weights alone takes out of the call.
    *Refuses*: nothing; kernels that are not 3x3, strides, dilations, groups and more than 1024 channels stay.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect", "::jit::winograd::WinogradDialect"];
}

def PackProducts : ProductPass<"jit-pack-products"> {
  let summary = "lay the weights of products out in blocks of vector registers";
  let description = [{
    A product is a linalg op that accumulates `a * b` into its output: contractions and convolutions,
    named or generic. Where one of its operands depends on `jit.weight` arguments and constants only,
    that operand is rewritten as `[groups, N/NR, K, NR]` and the product becomes a generic
    that indexes it by `n floordiv NR` and `n mod NR`. The packing itself is tensor.pad,
    tensor.expand_shape and linalg.transpose of the weight, so that a pass that moves what depends on
    weights alone takes it out of the call. Of two operands that change with every call one is packed
    where that costs less than it saves: large matrices, and those whose rows run the wrong way.
    A product that a table of measured tiles has is cut as it says: its `jit.tile` holds vectors and points of the tile
    for jit-emit-products.

    *Needs*: tensors (before bufferization), after the fusion of elementwise ops; what is packed has a static shape.
    *Gives*: products whose weights are read front to back; other ops are untouched.
    *Refuses*: nothing; a product that gains nothing (few output channels, integers) stays as it is.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
  let options = !listconcat(machineOptions, [
    Option<"tiles", "tiles", "std::string", "", "a table of tiles that were measured">
  ]);
}

def EmitProducts : ProductPass<"jit-emit-products"> {
  let summary = "turn products on buffers into register-tiled vector loops";
  let description = [{
    Each product with sums of f32 or f64 becomes loops over register tiles: accumulators are carried by the
    reduction loops, one operand is read as vectors, the other as broadcast scalars straight from
    its (strided, dilated) window, so no im2col buffer exists. Ragged edges are smaller tiles and masked
    stores. Transposes of 32 and 64 bits become vector loops too. Outputs whose vectors are not contiguous are transposed in registers. A zero
    fill or a bias that is written to the output just before is folded, and so is an elementwise
    linalg.generic that alone uses the sums just after. Independent tiles are iterations of one scf.parallel,
    which carries the operation count of the whole product as `jit.flops`. winograd.conv becomes loops over groups of
    tiles: the image transformed, products, sums transformed.

    Rows that only a call counts, of one open dimension or of several that all operands walk as one, are whole tiles
    and a last one of any height, chosen by scf.index_switch.

    *Needs*: memrefs with static shapes but for such rows, and static strides (offsets may be dynamic).
    *Gives*: scf, vector, arith and memref ops; the output of a product may not overlap its inputs.
    *Refuses*: nothing; integers, and strides that no vector can read stay linalg ops.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::ub::UBDialect",
                           "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect",
                           "::mlir::x86vector::X86VectorDialect"];
}

def EmitByteProducts : Pass<"jit-emit-byte-products", "::mlir::func::FuncOp"> {
  let summary = "turn products of bytes into loops of the instruction for them";
  let description = [{
    A sum of products of unsigned with signed bytes, in int32, becomes loops over register tiles of four rows of each factor.
    x86's vpdpbusd adds four neighbouring products at once to each int32 of a vector, so that both factors are read along the
    sum and the parts of a vector are added at the end. What is left of the bytes of a row is a masked load. Independent tiles
    are iterations of one scf.parallel, in blocks of rows that the second-level cache holds.

    *Needs*: a CPU with the instruction, in vectors of `lanes` int32 (AVX-512 VNNI, AVX-VNNI); memrefs whose rows
    have no gaps and a known distance, of a known number of columns.
    *Gives*: scf, vector, memref and llvm ops; the output of a product may not overlap its inputs.
    *Refuses*: nothing; other products stay linalg ops.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect", "::mlir::LLVM::LLVMDialect"];
  let options = [
    Option<"lanes", "lanes", "int64_t", "16", "int32 elements in one vector register">,
    Option<"l2Bytes", "l2-bytes", "int64_t", "524288", "size of the second-level cache">
  ];
}

#endif // JIT_CODEGEN_PRODUCTS_PASSES
