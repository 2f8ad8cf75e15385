//===- Autocast.td - regions of automatic precision --------*- tablegen -*-===//
//
// `with torch.autocast(...)` is a state, one for each kind of device, that jit-resolve-autocast makes casts of. What the region
// does to which operator: jit/Dialect/Aten/AutocastPolicy.h.
//
//===----------------------------------------------------------------------===//
include "jit/Dialect/Aten/AtenBase.td"

/// Reads or sets the state, so that no two of them are one, and that none is its body before the state is known.
class Aten_AutocastState<string base, dag args, dag outs_, string value = "return {};">
    : Aten_Op<base, "", args, outs_, [DecomposesEarly]> {
  let decompose = value;
}
def Aten_SetAutocastOp : Aten_AutocastState<"set_autocast", (ins Str:$device_type, Bool:$enabled, DType:$dtype), (outs)> {
  let summary = "From here on operators on tensors of that kind of device compute as autocast has it, or as they are";
  let ns = "jit";
}
def Aten_AutocastEnabledOp : Aten_AutocastState<"autocast_enabled", (ins Str:$device_type), (outs Bool:$result),
    "return build.flag(false);"> {
  let summary = "Whether autocast is enabled for a kind of device";
  let ns = "jit";
}
def Aten_IsAutocastEnabledOp : Aten_AutocastState<"is_autocast_enabled", (ins), (outs Bool:$result), "return build.flag(false);">;
def Aten_IsAutocastCpuEnabledOp : Aten_AutocastState<"is_autocast_cpu_enabled", (ins), (outs Bool:$result),
    "return build.flag(false);">;
def Aten_GetAutocastDTypeOp : Aten_AutocastState<"get_autocast_dtype", (ins Str:$device_type),
    (outs Spelled<Int, "ScalarType">:$result), "return build.i(device_type.known() == \"cpu\" ? 15 : 5);">;

/// It waits for a call, which says where its tensors are.
def Aten_AutocastAppliesOp : Aten_Composite<"autocast_applies", "", (ins Str:$device_type, Bool:$enabled),
    "return autocastApplies(build, device_type, enabled);", (outs Bool:$result)> {
  let summary = "Whether the program's tensors are on that kind of device, while autocast is enabled for it";
  let ns = "jit";
}

/// A cast that a region makes: of tensors of that kind of device, if they are floating and not double.
class Aten_AutocastTo<string base, dag args, string body> : Aten_Composite<base, "", args, body> {
  let ns = "jit";
  let mayGiveOperand = 1;
}
def Aten_AutocastToOp : Aten_AutocastTo<"autocast_to",
    (ins Tensor:$self, Str:$device_type, Bool:$enabled, DType:$dtype), "return autocasted(self, device_type, enabled, dtype);"> {
  let summary = "The tensor in an element type, where autocast is enabled for its device and casts such elements";
}
def Aten_AutocastToWidestOp : Aten_AutocastTo<"autocast_to_widest",
    (ins Tensor:$self, TensorList:$tensors, Str:$device_type, Bool:$enabled, DType:$dtype),
    "return autocastedToWidest(self, tensors, device_type, enabled, dtype);"> {
  let summary = "The tensor in the widest element type among operands that autocast casts, of which the narrowest is given";
}
