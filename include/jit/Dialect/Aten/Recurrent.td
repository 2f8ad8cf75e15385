//===- Recurrent.td - cells and networks of them -----------*- tablegen -*-===//
include "jit/Dialect/Aten/PackedArgs.td"
include "jit/Dialect/Aten/RandomBase.td"

//===----------------------------------------------------------------------===//
// One step
//===----------------------------------------------------------------------===//

def Aten_LstmCellOp : Aten_Op<"lstm_cell", "", (ins Tensor:$input, TensorList:$hx, Tensor:$w_ih, Tensor:$w_hh,
    Default<OptTensor, "None">:$b_ih, Default<OptTensor, "None">:$b_hh), (outs Tensor:$h, Tensor:$c)> {
  let type = "stateOf(infer, hx, 0), stateOf(infer, hx, 1)";
  let decompose = [{
    auto state = hx.elements();
    if (!state || state->size() != 2) return build.notYet("two tensors as hx");
    return cell(lstmStep, input, *state, {{w_ih, b_ih}, {w_hh, b_hh}});
  }];
}
class Cell<string name, string step> : Aten_Op<name, "", (ins Tensor:$input, Tensor:$hx, Tensor:$w_ih, Tensor:$w_hh,
    Default<OptTensor, "None">:$b_ih, Default<OptTensor, "None">:$b_hh)> {
  let type = "Type(hx)";
  let decompose = "return cell(" # step # ", input, {hx.v}, {{w_ih, b_ih}, {w_hh, b_hh}});";
}
def Aten_GruCellOp : Cell<"gru_cell", "gruStep">;
def Aten_RnnTanhCellOp : Cell<"rnn_tanh_cell", "tanhStep"> {
  let type = "infer.pointwise(hx.value, hx.value, /*toFloat=*/true)"; // of integers, too
}
def Aten_RnnReluCellOp : Cell<"rnn_relu_cell", "reluStep">;

// The same with packed parameters, which have the biases; the range of what they are multiplied with is reduced.
def Aten_QuantizedLstmCellDynamicOp : Aten_Op<"quantized_lstm_cell_dynamic", "", (ins Tensor:$input, TensorList:$hx,
    LinearParams:$w_ih, LinearParams:$w_hh, Tensor:$bias_ih, Tensor:$bias_hh), (outs Tensor:$h, Tensor:$c)> {
  let ns = "quantized";
  let type = "stateOf(infer, hx, 0), stateOf(infer, hx, 1)";
  let decompose = [{
    auto state = hx.elements();
    if (!state || state->size() != 2) return build.notYet("two tensors as hx");
    return cell(lstmStep, input, *state, packedCell(w_ih, w_hh, /*isReduced=*/true));
  }];
}
class PackedCell<string name, string step> : Aten_Op<"quantized_" # name # "_cell_dynamic", "", (ins Tensor:$input, Tensor:$hx,
    LinearParams:$w_ih, LinearParams:$w_hh, Tensor:$b_ih, Tensor:$b_hh)> {
  let ns = "quantized";
  let type = "Type(hx)";
  let decompose = "return cell(" # step # ", input, {hx.v}, packedCell(w_ih, w_hh, /*isReduced=*/true));";
}
def Aten_QuantizedGruCellDynamicOp : PackedCell<"gru", "gruStep">;
def Aten_QuantizedRnnTanhCellDynamicOp : PackedCell<"rnn_tanh", "tanhStep">;
def Aten_QuantizedRnnReluCellDynamicOp : PackedCell<"rnn_relu", "reluStep">;

//===----------------------------------------------------------------------===//
// Sequences
//===----------------------------------------------------------------------===//

// With dropout between layers a network becomes one of each (jit-seed-random).
def Aten_LstmInputOp : Aten_Op<"lstm", "input", (ins Tensor:$input, TensorList:$hx, TensorList:$params, Bool:$has_biases,
    Int:$num_layers, Float:$dropout, Bool:$train, Bool:$bidirectional, Bool:$batch_first),
    (outs Tensor:$result, Tensor:$h, Tensor:$c), [Pure, DrawsNumbers, OverSequence]> {
  let dropout = ["dropout", "train", "num_layers"];
  let unusualStrides = 1;
  let type = "sequenceOf(infer, input, hx, bidirectional), stateOf(infer, hx, 0), stateOf(infer, hx, 1)";
  let decompose = [{
    auto state = hx.elements();
    if (!state || state->size() != 2) return build.notYet("two tensors as hx");
    NetworkShape shape = {params, has_biases, num_layers, dropout, train, bidirectional, batch_first};
    if (!shape.dropsOut()) return recurrent(lstmStep, input, *state, shape);
    auto layer = [&](Tensor input, ArrayRef<Tensor> state, TensorList params) {
      return build.multi<LstmInputOp>(input, build.list(state), params, has_biases, 1, 0.0, train, bidirectional, batch_first);
    };
    return layersAtRandom(layer, input, *state, shape);
  }];
}
class Sequence<string name, string op, string each> : Aten_Op<name, "input", (ins Tensor:$input, Tensor:$hx, TensorList:$params,
    Bool:$has_biases, Int:$num_layers, Float:$dropout, Bool:$train, Bool:$bidirectional, Bool:$batch_first),
    (outs Tensor:$result, Tensor:$h), [Pure, DrawsNumbers, OverSequence]> {
  let dropout = ["dropout", "train", "num_layers"];
  let unusualStrides = 1;
  let type = "sequenceOf(infer, input, hx, bidirectional), Type(hx)";
  let decompose = [{
    NetworkShape shape = {params, has_biases, num_layers, dropout, train, bidirectional, batch_first};
    if (!shape.dropsOut()) return recurrent(}] # each # [{Step, input, {hx.v}, shape);
    auto layer = [&](Tensor input, ArrayRef<Tensor> state, TensorList params) {
      return build.multi<}] # op # [{>(input, state.front(), params, has_biases, 1, 0.0, train, bidirectional, batch_first);
    };
    return layersAtRandom(layer, input, {hx.v}, shape);
  }];
}
def Aten_GruInputOp : Sequence<"gru", "GruInputOp", "gru">;
def Aten_RnnTanhInputOp : Sequence<"rnn_tanh", "RnnTanhInputOp", "tanh">;
def Aten_RnnReluInputOp : Sequence<"rnn_relu", "RnnReluInputOp", "relu">;

// Of packed sequences.
def Aten_PackPaddedSequenceOp : Aten_Composite<"_pack_padded_sequence", "",
    (ins Tensor:$input, Tensor:$lengths, Bool:$batch_first), "return packed(input, lengths, batch_first);",
    (outs Tensor:$data, Tensor:$batch_sizes)>;
def Aten_PadPackedSequenceOp : Aten_Composite<"_pad_packed_sequence", "",
    (ins Tensor:$data, Tensor:$batch_sizes, Bool:$batch_first, Scalar:$padding_value, Int:$total_length),
    "return padded(data, batch_sizes, batch_first, padding_value, total_length);",
    (outs Tensor:$result, Tensor:$lengths)>;
def Aten_PackedRowsOp : Aten_Op<"_packed_rows", "", (ins Tensor:$input, Tensor:$lengths),
    (outs Tensor:$data, Tensor:$batch_sizes)> {
  let summary = "Of sequences [steps, batch, ...] of these lengths, longest first, the rows that are in one, and how many each step has";
  let ns = "jit";
  let type = "packedRowsOf(infer, input), infer.tensor({TensorType::kDynamic}, infer.i64())";
  let decompose = "return packedRows(input, lengths);";
}

def Aten_LstmDataOp : Aten_Op<"lstm", "data", (ins Tensor:$data, Tensor:$batch_sizes, TensorList:$hx, TensorList:$params,
    Bool:$has_biases, Int:$num_layers, Float:$dropout, Bool:$train, Bool:$bidirectional),
    (outs Tensor:$result, Tensor:$h, Tensor:$c), [Pure, OverSequence]> {
  let type = "packedSequenceOf(infer, data, hx, bidirectional), stateOf(infer, hx, 0), stateOf(infer, hx, 1)";
  let hasCanonicalizeMethod = 1;
  let decompose = [{
    auto state = hx.elements();
    if (!state || state->size() != 2) return build.notYet("two tensors as hx");
    return recurrentOfPacked(lstmStep, data, batch_sizes, *state,
                             {params, has_biases, num_layers, dropout, train, bidirectional, build.flag(false)});
  }];
}
class PackedSequence<string name, string each> : Aten_Op<name, "data", (ins Tensor:$data, Tensor:$batch_sizes, Tensor:$hx,
    TensorList:$params, Bool:$has_biases, Int:$num_layers, Float:$dropout, Bool:$train, Bool:$bidirectional),
    (outs Tensor:$result, Tensor:$h), [Pure, OverSequence]> {
  let type = "packedSequenceOf(infer, data, hx, bidirectional), Type(hx)";
  let hasCanonicalizeMethod = 1;
  let decompose = "return recurrentOfPacked(" # each # "Step, data, batch_sizes, {hx.v}, "
      # "{params, has_biases, num_layers, dropout, train, bidirectional, build.flag(false)});";
}
def Aten_GruDataOp : PackedSequence<"gru", "gru">;
def Aten_RnnTanhDataOp : PackedSequence<"rnn_tanh", "tanh">;
def Aten_RnnReluDataOp : PackedSequence<"rnn_relu", "relu">;

// What these are of sequences that the program packed itself: networks over all steps, with a mask [steps, batch, 1] of the
// sequences that have each; the state of the others stays.
def Aten_LstmMaskedOp : Aten_Op<"_lstm_masked", "", (ins Tensor:$input, Tensor:$mask, TensorList:$hx, TensorList:$params,
    Bool:$has_biases, Int:$num_layers, Float:$dropout, Bool:$train, Bool:$bidirectional),
    (outs Tensor:$result, Tensor:$h, Tensor:$c), [Pure, OverSequence]> {
  let ns = "jit";
  let type = "sequenceOf(infer, input, hx, bidirectional), stateOf(infer, hx, 0), stateOf(infer, hx, 1)";
  let decompose = [{
    auto state = hx.elements();
    if (!state || state->size() != 2) return build.notYet("two tensors as hx");
    return recurrentOfMasked(lstmStep, input, mask, *state,
                             {params, has_biases, num_layers, dropout, train, bidirectional, build.flag(false)});
  }];
}
class MaskedSequence<string name, string each> : Aten_Op<name, "", (ins Tensor:$input, Tensor:$mask, Tensor:$hx,
    TensorList:$params, Bool:$has_biases, Int:$num_layers, Float:$dropout, Bool:$train, Bool:$bidirectional),
    (outs Tensor:$result, Tensor:$h), [Pure, OverSequence]> {
  let ns = "jit";
  let type = "sequenceOf(infer, input, hx, bidirectional), Type(hx)";
  let decompose = "return recurrentOfMasked(" # each # "Step, input, mask, {hx.v}, "
      # "{params, has_biases, num_layers, dropout, train, bidirectional, build.flag(false)});";
}
def Aten_GruMaskedOp : MaskedSequence<"_gru_masked", "gru">;
def Aten_RnnTanhMaskedOp : MaskedSequence<"_rnn_tanh_masked", "tanh">;
def Aten_RnnReluMaskedOp : MaskedSequence<"_rnn_relu_masked", "relu">;

// Of the packed parameters of cells.
def Aten_QuantizedLstmInputOp : Aten_Op<"quantized_lstm", "input", (ins Tensor:$input, TensorList:$hx, CellParamsList:$params,
    Bool:$has_biases, Int:$num_layers, Float:$dropout, Bool:$train, Bool:$bidirectional, Bool:$batch_first,
    Kw<Default<OptDType, "None">>:$dtype, Kw<Default<Bool, "False">>:$use_dynamic),
    (outs Tensor:$result, Tensor:$h, Tensor:$c)> {
  let unusualStrides = 1;
  let type = "sequenceOf(infer, input, hx, bidirectional), stateOf(infer, hx, 0), stateOf(infer, hx, 1)";
  let decompose = [{
    auto state = hx.elements();
    if (!state || state->size() != 2) return build.notYet("two tensors as hx");
    return recurrent(lstmStep, input, *state, {params, has_biases, num_layers, dropout, train, bidirectional, batch_first});
  }];
}
def Aten_QuantizedGruInputOp : Aten_Op<"quantized_gru", "input", (ins Tensor:$input, Tensor:$hx, CellParamsList:$params,
    Bool:$has_biases, Int:$num_layers, Float:$dropout, Bool:$train, Bool:$bidirectional, Bool:$batch_first),
    (outs Tensor:$result, Tensor:$h)> {
  let unusualStrides = 1;
  let type = "sequenceOf(infer, input, hx, bidirectional), Type(hx)";
  let decompose = [{
    return recurrent(gruStep, input, {hx.v}, {params, has_biases, num_layers, dropout, train, bidirectional, batch_first});
  }];
}
