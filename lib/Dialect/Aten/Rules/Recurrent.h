//===- Recurrent.h - builders for the rules of Recurrent.td -----*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_RECURRENT_H
#define JIT_LIB_DIALECT_ATEN_RULES_RECURRENT_H

#include "jit/Dialect/Aten/GraphRules.h"

namespace jit {

/// What is multiplied with the weights and added to the bias. The weight is a tensor, or packed
/// parameters, which have their bias: then the range of x may be reduced.
struct GateProduct {
  Any weight;
  OptTensor bias;
  bool isReduced = false;
  /// The same values for use by another builder.
  GateProduct in(GraphBuilder &build) const {
    return {{build, weight.v}, {build, bias.v}, isReduced};
  }
  bool isPacked() const { return mlir::isa<TupleType>(weight.v.getType()); }
  Tensor operator()(Tensor x) const;
};

/// The weights of one layer: of the input and of the state.
struct CellWeights {
  GateProduct ih, hh;
  CellWeights in(GraphBuilder &build) const { return {ih.in(build), hh.in(build)}; }
};

/// The type of one tensor of a state.
mlir::Type stateOf(TypeRules &infer, ListInfo state, size_t index);

/// From what the input gives to the gates of one step (its product with the weights, bias added)
/// and the state to the next state, whose first tensor is the output. `h` first in each state.
using Step = llvm::SmallVector<Tensor> (*)(Tensor fromInput, llvm::ArrayRef<Tensor> state,
                                           const CellWeights &weights);
llvm::SmallVector<Tensor> lstmStep(Tensor fromInput, llvm::ArrayRef<Tensor> state,
                                   const CellWeights &weights);
llvm::SmallVector<Tensor> gruStep(Tensor fromInput, llvm::ArrayRef<Tensor> state,
                                  const CellWeights &weights);
llvm::SmallVector<Tensor> tanhStep(Tensor fromInput, llvm::ArrayRef<Tensor> state,
                                   const CellWeights &weights);
llvm::SmallVector<Tensor> reluStep(Tensor fromInput, llvm::ArrayRef<Tensor> state,
                                   const CellWeights &weights);

/// One step of a cell.
Decomposition cell(Step step, Tensor input, llvm::ArrayRef<mlir::Value> state,
                   const CellWeights &weights);

/// The weights of a cell with packed parameters.
CellWeights packedCell(Any ih, Any hh, bool isReduced);

/// How a network is made of cells: of weights and biases, or of the packed parameters of cells.
struct NetworkShape {
  AnyList params;
  Bool hasBiases;
  Int layers;
  Float dropout;
  Bool isTraining, isBidirectional, isBatchFirst;
  /// True where outputs of layers are dropped out on their way to the next.
  bool dropsOut() const;
};

/// The type of the outputs of all steps.
mlir::Type sequenceOf(TypeRules &infer, TensorInfo input, AnyInfo state, BoolInfo isBidirectional);

/// A loop over the steps for each layer and direction; gives the outputs and the last states.
Decomposition recurrent(Step step, Tensor input, llvm::ArrayRef<mlir::Value> state,
                        const NetworkShape &shape);

/// The same of sequences of several lengths, packed: the elements of all sequences at the first
/// step, then at the second, and how many sequences each step has. The outputs are packed in the
/// same way.
Decomposition recurrentOfPacked(Step step, Tensor data, Tensor batchSizes,
                                llvm::ArrayRef<mlir::Value> state, const NetworkShape &shape);
/// The type of these outputs.
mlir::Type packedSequenceOf(TypeRules &infer, TensorInfo data, AnyInfo state,
                            BoolInfo isBidirectional);

/// The same of sequences that are padded, with a mask [steps, batch, 1] of those that have each
/// step; the state of the others stays.
Decomposition recurrentOfMasked(Step step, Tensor input, Tensor mask,
                                llvm::ArrayRef<mlir::Value> state, const NetworkShape &shape);

/// Rows of sequences, longest first, and how many each step has; a call whose lengths are not such
/// ends.
Decomposition packed(Tensor input, Tensor lengths, Bool batchFirst);
/// What `packed` made of sequences, or a network of these, padded again, and the lengths.
Decomposition padded(Tensor data, Tensor batchSizes, Bool batchFirst, Scalar padding, Int length);
/// The rows of sequences [steps, batch, ...] as data tell them.
Decomposition packedRows(Tensor input, Tensor lengths);
mlir::Type packedRowsOf(TypeRules &infer, TensorInfo input);

/// Makes a network of one layer, of its input and its parts of state and parameters.
using MakeLayer = llvm::function_ref<mlir::Operation *(Tensor input, llvm::ArrayRef<Tensor> state,
                                                       TensorList params)>;
/// Such networks one behind the other, with dropout between them. Nothing need be known of tensors.
Decomposition layersAtRandom(MakeLayer makeLayer, Tensor input, llvm::ArrayRef<mlir::Value> state,
                             const NetworkShape &shape);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_RECURRENT_H
