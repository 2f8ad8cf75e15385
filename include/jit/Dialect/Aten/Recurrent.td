//===- Recurrent.td - cells and networks of them -----------*- tablegen -*-===//
include "jit/Dialect/Aten/AtenBase.td"

//===----------------------------------------------------------------------===//
// One step
//===----------------------------------------------------------------------===//

def Aten_LstmCellOp : Aten_Op<"lstm_cell", "", (ins Tensor:$input, TensorList:$hx, Tensor:$w_ih, Tensor:$w_hh,
    Default<OptTensor, "None">:$b_ih, Default<OptTensor, "None">:$b_hh), (outs Tensor:$h, Tensor:$c)> {
  let type = "stateOf(infer, hx, 0), stateOf(infer, hx, 1)";
  let decompose = [{
    auto state = hx.elements();
    if (!state || state->size() != 2) return build.notYet();
    return cell(lstmStep, input, *state, {w_ih, w_hh, b_ih, b_hh});
  }];
}
class Cell<string name, string step> : Aten_Op<name, "", (ins Tensor:$input, Tensor:$hx, Tensor:$w_ih, Tensor:$w_hh,
    Default<OptTensor, "None">:$b_ih, Default<OptTensor, "None">:$b_hh)> {
  let type = "Type(hx)";
  let decompose = "return cell(" # step # ", input, {hx.v}, {w_ih, w_hh, b_ih, b_hh});";
}
def Aten_GruCellOp : Cell<"gru_cell", "gruStep">;
def Aten_RnnTanhCellOp : Cell<"rnn_tanh_cell", "tanhStep">;
def Aten_RnnReluCellOp : Cell<"rnn_relu_cell", "reluStep">;

//===----------------------------------------------------------------------===//
// Sequences
//===----------------------------------------------------------------------===//

def Aten_LstmInputOp : Aten_Op<"lstm", "input", (ins Tensor:$input, TensorList:$hx, TensorList:$params, Bool:$has_biases,
    Int:$num_layers, Float:$dropout, Bool:$train, Bool:$bidirectional, Bool:$batch_first),
    (outs Tensor:$result, Tensor:$h, Tensor:$c)> {
  let type = "sequenceOf(infer, input, hx, bidirectional), stateOf(infer, hx, 0), stateOf(infer, hx, 1)";
  let decompose = [{
    auto state = hx.elements();
    if (!state || state->size() != 2) return build.notYet();
    return recurrent(lstmStep, input, *state, {params, has_biases, num_layers, dropout, train, bidirectional, batch_first});
  }];
}
class Sequence<string name, string each> : Aten_Op<name, "input", (ins Tensor:$input, Tensor:$hx, TensorList:$params,
    Bool:$has_biases, Int:$num_layers, Float:$dropout, Bool:$train, Bool:$bidirectional, Bool:$batch_first),
    (outs Tensor:$result, Tensor:$h)> {
  let type = "sequenceOf(infer, input, hx, bidirectional), Type(hx)";
  let decompose = "return recurrent(" # each
      # ", input, {hx.v}, {params, has_biases, num_layers, dropout, train, bidirectional, batch_first});";
}
def Aten_GruInputOp : Sequence<"gru", "gruStep">;
def Aten_RnnTanhInputOp : Sequence<"rnn_tanh", "tanhStep">;
def Aten_RnnReluInputOp : Sequence<"rnn_relu", "reluStep">;
