//===- Container.td - lists, strings, dicts and Optionals ------*- tablegen -*-===//
//
// These are computed while a program is specialized: each is replaced as soon as the container is
// known to be a jit.list, a constant string or a jit.dict.
//
//===----------------------------------------------------------------------===//
include "jit/Dialect/Aten/AtenBase.td"

/// The result is an operand or a part of one: nothing is computed.
def PicksElement : NativeOpTrait<"PicksElement"> { let cppNamespace = "::jit"; }

defvar isDict = CPred<"::llvm::isa<::jit::DictType>($_self)">;
class DictOf<string key> : AtenArg<isDict, "Dict(" # key # ", t)", "AnyInfo", "Ignored", "Any">;
class AliasedDict<string key> : AtenArg<isDict, "Dict(" # key # ", t)(a)", "AnyInfo", "Ignored", "Any">;
def AnyOfList : Spelled<AnyArg, "t(*)">;
def ListAlias : Spelled<AnyList, "t[](a)">;

class Aten_OnContainer<string base, string overload, dag args, AtenArg result_, string rule, list<Trait> traits = []>
    : Aten_Op<base, overload, args, (outs result_:$result), !listconcat([Pure], traits)> {
  let decompose = " return " # rule # "; ";
}

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

def Aten_LenTOp : Aten_OnContainer<"len", "t", (ins AnyList:$a), Int, "lengthOf(a)">;
def Aten_LenAnyOp : Aten_OnContainer<"len", "any", (ins Spelled<AnyList, "Any[]">:$a), Int, "lengthOf(a)">;
def Aten_LenTensorOp : Aten_OnContainer<"len", "Tensor", (ins Tensor:$t), Int, "lengthOf(t)">;

class Aten_Pick<string base, string overload, dag args, string typeRule, string rule>
    : Aten_OnContainer<base, overload, args, AnyOfList, rule, [PicksElement]> {
  let type = typeRule;
}
def Aten_GetItemTOp : Aten_Pick<"__getitem__", "t", (ins ListAlias:$list, Int:$idx),
    "elementType(infer, list, idx)", "elementAt(list, idx)">;
def Aten_SelectTOp : Aten_Pick<"select", "t", (ins ListAlias:$list, Int:$idx),
    "elementType(infer, list, idx)", "elementAt(list, idx)">;

/// A list made from the elements of another.
class Aten_ToList<string base, string overload, dag args, string source, string rule, AtenArg result_ = AnyList>
    : Aten_OnContainer<base, overload, args, result_, rule, [PicksElement]> {
  let type = source # ".type()";
}
def Aten_AddTOp : Aten_ToList<"add", "t", (ins AnyList:$a, AnyList:$b), "a", "concatenated(a, b)">;
def Aten_MulLeftTOp : Aten_ToList<"mul", "left_t", (ins AnyList:$l, Int:$n), "l", "repeated(l, n)">;
def Aten_MulRightOp : Aten_ToList<"mul", "right_", (ins Int:$n, AnyList:$l), "l", "repeated(l, n)">;
def Aten_SliceTOp : Aten_ToList<"slice", "t",
    (ins AnyList:$l, Default<OptInt, "None">:$start, Default<OptInt, "None">:$end, Default<Int, "1">:$step), "l",
    "slicedList(l, start, end, step)">;
def Aten_ListTOp : Aten_ToList<"list", "t", (ins AnyList:$l), "l", "repeated(l, build.i(1))">;
def Aten_CopyTOp : Aten_ToList<"copy", "t", (ins ListAlias:$self), "self", "repeated(self, build.i(1))">;

foreach kind = ["int", "float", "str"] in {
  defvar Kind = !cond(!eq(kind, "int") : "Int", !eq(kind, "float") : "Float", true : "Str");
  defvar element = !cond(!eq(kind, "int") : Int, !eq(kind, "float") : Float, true : Str);
  defvar list_ = Spelled<AnyList, kind # "[]">;
  def Aten_Contains#Kind#ListOp : Aten_OnContainer<"__contains__", kind # "_list",
      (ins Spelled<AnyList, kind # "[]">:$l, element:$item), Bool, "contains(l, item)">;
  def Aten_Index#Kind#ListOp : Aten_OnContainer<"index", "list_" # kind,
      (ins Spelled<AnyList, kind # "[]">:$self, element:$el), Int, "placeOf(self, el)">;
  def Aten_Count#Kind#ListOp : Aten_OnContainer<"count", kind,
      (ins Spelled<AnyList, kind # "[]">:$self, element:$el), Int, "timesOf(self, el)">;
  def Aten_Eq#Kind#ListOp : Aten_OnContainer<"eq", kind # "_list",
      (ins Spelled<AnyList, kind # "[]">:$a, Spelled<AnyList, kind # "[]">:$b), Bool, "listsEqual(a, b, false)">;
  def Aten_Ne#Kind#ListOp : Aten_OnContainer<"ne", kind # "_list",
      (ins Spelled<AnyList, kind # "[]">:$a, Spelled<AnyList, kind # "[]">:$b), Bool, "listsEqual(a, b, true)">;
}

foreach comparison = ["eq", "ne"] in
  def Aten_#!if(!eq(comparison, "eq"), "Eq", "Ne")#BoolListOp : Aten_OnContainer<comparison, "bool_list",
      (ins Spelled<AnyList, "bool[]">:$a, Spelled<AnyList, "bool[]">:$b), Bool,
      "listsEqual(a, b, " # !if(!eq(comparison, "eq"), "false", "true") # ")">;

foreach comparison = ["eq", "ne"] in
  def Aten_#!if(!eq(comparison, "eq"), "Eq", "Ne")#TensorListOp : Aten_OnContainer<comparison, "Tensor_list",
      (ins TensorList:$a, TensorList:$b), Bool, "listsEqual(a, b, " # !if(!eq(comparison, "eq"), "false", "true") # ")">;
def Aten_IndexTensorListOp : Aten_OnContainer<"index", "list_Tensor", (ins TensorList:$self, Tensor:$el), Int, "placeOf(self, el)">;
def Aten_CountTensorListOp : Aten_OnContainer<"count", "Tensor", (ins TensorList:$self, Tensor:$el), Int, "timesOf(self, el)">;
def Aten_IndexBoolListOp : Aten_OnContainer<"index", "list_bool", (ins BoolList:$self, Bool:$el), Int, "placeOf(self, el)">;
def Aten_CountBoolListOp : Aten_OnContainer<"count", "bool", (ins BoolList:$self, Bool:$el), Int, "timesOf(self, el)">;

foreach kind = ["int", "float", "bool", "str", "Tensor"] in {
  def Aten_Sorted#!toupper(!substr(kind, 0, 1))#!substr(kind, 1)#Op
      : Aten_OnContainer<"sorted", kind, (ins Spelled<AnyList, kind # "[](a)">:$input), Spelled<AnyList, kind # "[]">,
                         "sortedList(input)"> {
    let type = "input.type()";
  }
}

def Aten_SortedAnyOp : Aten_OnContainer<"sorted", "any", (ins Spelled<AnyList, "t[](a)">:$self), Spelled<AnyList, "t[]">, "sortedTuples(self)"> {
  let type = "self.type()";
}

class Aten_ListMin<string base, string overload, AtenArg list_, AtenArg element, string op>
    : Aten_OnContainer<base, overload, (ins list_:$self), element, "reduced<" # op # ">(self)"> {
  let ns = "prim";
}
def Aten_MinSelfIntOp : Aten_ListMin<"min", "self_int", IntList, Int, "MinIntOp">;
def Aten_MaxSelfIntOp : Aten_ListMin<"max", "self_int", IntList, Int, "MaxIntOp">;
def Aten_MinSelfFloatOp : Aten_ListMin<"min", "self_float", FloatList, Float, "MinFloatOp">;
def Aten_MaxSelfFloatOp : Aten_ListMin<"max", "self_float", FloatList, Float, "MaxFloatOp">;
def Aten_MinSelfBoolOp : Aten_ListMin<"min", "self_bool", BoolList, Bool, "AndBoolOp">;
def Aten_MaxSelfBoolOp : Aten_ListMin<"max", "self_bool", BoolList, Bool, "OrBoolOp">;
foreach list_ = [IntList, FloatList, BoolList] in {
  defvar kind = !subst("[]", "", list_.spelling);
  foreach base = ["min", "max"] in
    def Aten_#!if(!eq(base, "min"), "Min", "Max")#!toupper(!substr(kind, 0, 1))#!substr(kind, 1)#ListOp
        : Aten_OnContainer<base, kind # "_list", (ins list_:$l, list_:$r), list_,
                           "lesserList(l, r, /*greater=*/" # !if(!eq(base, "min"), "false)", "true)")> {
      let ns = "prim";
      let mayGiveOperand = 1;
    }
}
def Aten_SumBoolOp : Aten_OnContainer<"sum", "bool", (ins BoolList:$self), Int, "countOf(self)">;
def Aten_SumIntOp : Aten_OnContainer<"sum", "int", (ins IntList:$self), Int, "reduced<AddIntOp>(self)">;
def Aten_SumFloatOp : Aten_OnContainer<"sum", "float", (ins FloatList:$self), Float, "reduced<AddFloatOp>(self)">;
def Aten_AllBoolOp : Aten_OnContainer<"all", "bool", (ins BoolList:$self), Bool, "reducedOr<AndBoolOp>(self, true)">;
def Aten_AnyBoolOp : Aten_OnContainer<"any", "bool", (ins BoolList:$self), Bool, "reducedOr<OrBoolOp>(self, false)">;

foreach list_ = [IntList, FloatList] in {
  defvar kind = !subst("[]", "", list_.spelling);
  def Aten_All#kind#ListOp : Aten_OnContainer<"all", kind, (ins list_:$self), Bool, "truthOf(self, /*all=*/true)">;
  def Aten_Any#kind#ListOp : Aten_OnContainer<"any", kind, (ins list_:$self), Bool, "truthOf(self, /*all=*/false)">;
}
def Aten_AnyStrListOp : Aten_OnContainer<"any", "str", (ins StrList:$self), Bool, "truthOf(self, /*all=*/false)">;

def Aten_ToListOp : Aten_Op<"_tolist", "", (ins Tensor:$self), (outs AnyArg:$result)> {
  let summary = "The elements of a tensor in lists, nested as the type of the result says";
  let ns = "jit";
  let decompose = "return nestedLists(self, (*this)->getResult(0).getType());";
}

//===----------------------------------------------------------------------===//
// Strings
//===----------------------------------------------------------------------===//

def Aten_ListStrOp : Aten_OnContainer<"list", "", (ins Str:$t), StrList, "charactersOf(t)">;
def Aten_LenStrOp : Aten_OnContainer<"len", "str", (ins Str:$s), Int, "lengthOf(s)">;
def Aten_GetItemStrOp : Aten_OnContainer<"__getitem__", "str", (ins Str:$s, Int:$index), Str, "characterAt(s, index)">;
def Aten_AddStrOp : Aten_OnContainer<"add", "str", (ins Str:$a, Str:$b), Str, "concatenated(a, b)">;
def Aten_EqStrOp : Aten_OnContainer<"eq", "str", (ins Str:$a, Str:$b), Bool, "stringsEqual(a, b, false)">;
def Aten_NeStrOp : Aten_OnContainer<"ne", "str", (ins Str:$a, Str:$b), Bool, "stringsEqual(a, b, true)">;

class Aten_Text<string base, string rule> : Aten_OnContainer<base, "", (ins Str:$self), Str, rule # "(self)">;
def Aten_UpperOp : Aten_Text<"upper", "upperCase">;
def Aten_LowerOp : Aten_Text<"lower", "lowerCase">;
def Aten_TitleOp : Aten_Text<"title", "titleCase">;
def Aten_SwapcaseOp : Aten_Text<"swapcase", "swappedCase">;
def Aten_CapitalizeOp : Aten_Text<"capitalize", "capitalized">;
def Aten_ChrOp : Aten_OnContainer<"chr", "", (ins Int:$i), Str, "characterOf(i)">;
def Aten_OrdOp : Aten_OnContainer<"ord", "", (ins Str:$string), Int, "codeOf(string)">;
class Aten_Justified<string base, string share> : Aten_OnContainer<base, "",
    (ins Str:$self, Int:$width, Default<Str, "\" \"">:$fillchar), Str, "justified(self, width, fillchar, " # share # ")">;
def Aten_LjustOp : Aten_Justified<"ljust", "TextSide::Left">;
def Aten_RjustOp : Aten_Justified<"rjust", "TextSide::Right">;
def Aten_CenterOp : Aten_Justified<"center", "TextSide::Both">;
def Aten_ZfillOp : Aten_OnContainer<"zfill", "", (ins Str:$self, Int:$width), Str, "withZeros(self, width)">;
def Aten_ExpandtabsOp : Aten_OnContainer<"expandtabs", "", (ins Str:$self, Default<Int, "8">:$tabsize), Str, "withoutTabs(self, tabsize)">;
class Aten_Partition<string base, string fromEnd>
    : Aten_Op<base, "", (ins Str:$self, Str:$separator), (outs Str:$before, Str:$at, Str:$after)> {
  let decompose = "return partition(self, separator, /*fromEnd=*/" # fromEnd # ");";
}
def Aten_PartitionOp : Aten_Partition<"partition", "false">;
def Aten_RpartitionOp : Aten_Partition<"rpartition", "true">;
class Aten_Strip<string base, string rule>
    : Aten_OnContainer<base, "", (ins Str:$self, Default<Str, "\" \\n\\t\\f\\v\"">:$chars), Str, rule # "(self, chars)">;
def Aten_StripOp : Aten_Strip<"strip", "stripped">;
def Aten_LstripOp : Aten_Strip<"lstrip", "strippedLeft">;
def Aten_RstripOp : Aten_Strip<"rstrip", "strippedRight">;
class Aten_FindText<string base, AtenArg result_, string rule, string overload = ""> : Aten_OnContainer<base, overload,
    (ins Str:$self, Str:$substr, Default<Int, "0">:$start, Default<Int, "-1">:$end), result_, rule # "(self, substr, start, end)">;
def Aten_StartsWithOp : Aten_FindText<"startswith", Bool, "startsWith">;
def Aten_EndsWithOp : Aten_FindText<"endswith", Bool, "endsWith">;
def Aten_FindOp : Aten_FindText<"find", Int, "firstPlace">;
def Aten_RfindOp : Aten_FindText<"rfind", Int, "lastPlace">;
def Aten_IndexOfTextOp : Aten_FindText<"index", Int, "firstPlaceFound", "str">;
def Aten_LastIndexOfTextOp : Aten_FindText<"rindex", Int, "lastPlaceFound">;
def Aten_CountStrPartsOp : Aten_FindText<"count", Int, "timesIn">;
def Aten_ReplaceTextOp : Aten_OnContainer<"replace", "",
    (ins Str:$self, Str:$old, Str:$by, Default<Int, "-1">:$max), Str, "replaced(self, old, by, max)"> {
  // C++ keeps PyTorch's name of the third argument for itself.
  let schema = "aten::replace(str self, str old, str new, int max=-1) -> str";
}
foreach test = ["isdigit", "isdecimal", "isnumeric", "isalpha", "isalnum", "isspace", "isupper", "islower", "isprintable", "istitle",
                "isidentifier"] in
  def Aten_#!toupper(!substr(test, 0, 1))#!substr(test, 1)#Op : Aten_OnContainer<test, "", (ins Str:$self), Bool, "isOfKind(self, \"" # test # "\")">;
def Aten_IntStrOp : Aten_OnContainer<"Int", "str", (ins Str:$a), Int, "intIn(a)">;
def Aten_FloatStrOp : Aten_OnContainer<"Float", "str", (ins Str:$a), Float, "floatIn(a)">;
def Aten_JoinOp : Aten_OnContainer<"join", "", (ins Str:$self, StrList:$values), Str, "joined(self, values)">;
def Aten_SplitStrOp : Aten_OnContainer<"split", "str",
    (ins Str:$self, Default<OptStr, "None">:$separator, Default<Int, "-1">:$max), StrList, "split(self, separator, max)">;
def Aten_RsplitStrOp : Aten_OnContainer<"rsplit", "",
    (ins Str:$self, Default<Str, "\" \"">:$separator, Default<Int, "-1">:$max), StrList, "splitFromEnd(self, separator, max)">;
def Aten_SplitLinesOp : Aten_OnContainer<"splitlines", "", (ins Str:$self, Default<Bool, "False">:$keepends), StrList,
    "linesOf(self, keepends)">;
def Aten_SliceStrOp : Aten_OnContainer<"slice", "str",
    (ins Str:$string, Default<OptInt, "None">:$start, Default<OptInt, "None">:$end, Default<Int, "1">:$step), Str,
    "slicedText(string, start, end, step)">;
def Aten_StrOp : Aten_OnContainer<"str", "", (ins Spelled<AnyArg, "t">:$elem), Str, "textOf(elem)">;
foreach base = [2, 8, 16] in
  def Aten_#!cond(!eq(base, 2) : "Bin", !eq(base, 8) : "Oct", true : "Hex")#Op
      : Aten_OnContainer<!cond(!eq(base, 2) : "bin", !eq(base, 8) : "oct", true : "hex"), "", (ins Int:$i), Str,
                         "digitsOf(i, " # base # ")">;
def Aten_DeviceTypeOp : Aten_OnContainer<"type", "", (ins Device:$self), Str, "deviceType(self)"> {
  let ns = "prim";
}

//===----------------------------------------------------------------------===//
// Dicts
//===----------------------------------------------------------------------===//

foreach key = ["str", "int", "float", "bool"] in {
  defvar Key = !cond(!eq(key, "str") : "Str", !eq(key, "int") : "Int", !eq(key, "float") : "Float", true : "Bool");
  defvar keyArg = !cond(!eq(key, "str") : Str, !eq(key, "int") : Int, !eq(key, "float") : Float, true : Bool);
  def Aten_DictOfPairs#Key#Op : Aten_OnContainer<"dict", key, (ins Spelled<AnyList, "(" # key # ", tVal)[]">:$inputs),
      Spelled<AnyArg, "Dict(" # key # ", tVal)">, "dictOfPairs(inputs)"> {
    let type = "dictOfPairsType(infer, inputs)";
  }
  def Aten_LenDict#Key#Op : Aten_OnContainer<"len", "Dict_" # key, (ins DictOf<key>:$self), Int, "dictLength(self)">;
  def Aten_GetItemDict#Key#Op : Aten_Pick<"__getitem__", "Dict_" # key, (ins DictOf<key>:$self, keyArg:$key),
      "dictValueType(infer, self)", "dictValue(self, key)">;
  def Aten_ContainsDict#Key#Op : Aten_OnContainer<"__contains__", key,
      (ins DictOf<key>:$dict, keyArg:$key), Bool, "dictContains(dict, key)">;
  def Aten_GetDict#Key#Op : Aten_OnContainer<"get", key, (ins DictOf<key>:$self, keyArg:$key),
      Spelled<AnyArg, "t(*)?">, "dictGet(self, key)", [PicksElement]> {
    let type = "OptionalType::get(dictValueType(infer, self))";
  }
  def Aten_GetDefault#Key#Op : Aten_OnContainer<"get", "default_" # key,
      (ins DictOf<key>:$self, keyArg:$key, Spelled<AnyArg, "t">:$default_value), AnyOfList,
      "dictGetOr(self, key, default_value)", [PicksElement]> {
    let type = "dictValueType(infer, self)";
  }
  def Aten_Items#Key#Op : Aten_OnContainer<"items", key, (ins DictOf<key>:$self),
      Spelled<AnyList, "((" # key # ", t)[])">, "dictItems(self)"> {
    let type = "itemsType(infer, self)";
  }
  def Aten_CopyDict#Key#Op : Aten_OnContainer<"copy", "Dict_" # key, (ins AliasedDict<key>:$self),
      Spelled<AnyArg, "Dict(" # key # ", t)">, "dictCopy(self)"> {
    let type = "self.type()";
  }
  def Aten_DictDict#Key#Op : Aten_OnContainer<"dict", "Dict_" # key, (ins AliasedDict<key>:$self),
      Spelled<AnyArg, "Dict(" # key # ", t)">, "dictCopy(self)"> {
    let type = "self.type()";
  }
  def Aten_Keys#Key#Op : Aten_OnContainer<"keys", key, (ins DictOf<key>:$self),
      Spelled<List<key # "[]", keyArg.resultType>, key # "[](*)">, "dictKeys(self)">;
  def Aten_Values#Key#Op : Aten_OnContainer<"values", key, (ins DictOf<key>:$self), Spelled<AnyList, "t[](*)">,
      "dictValues(self)"> {
    let type = "infer.list(dictValueType(infer, self))";
  }
}

//===----------------------------------------------------------------------===//
// Optionals
//===----------------------------------------------------------------------===//

def Aten_IsOp : Aten_OnContainer<"__is__", "", (ins Spelled<AnyArg, "t1">:$self, Spelled<AnyArg, "t2">:$obj), Bool,
    "sameNone(self, obj, false)">;
def Aten_IsNotOp : Aten_OnContainer<"__isnot__", "", (ins Spelled<AnyArg, "t1">:$self, Spelled<AnyArg, "t2">:$obj), Bool,
    "sameNone(self, obj, true)">;
def Aten_UncheckedUnwrapOptionalOp : Aten_Op<"unchecked_unwrap_optional", "",
    (ins Spelled<AnyArg, "t(a)?">:$optional), (outs Spelled<AnyArg, "t(a)">:$result), [Pure, PicksElement]> {
  let ns = "prim";
  let type = "unwrappedType(optional)";
  let decompose = "return unwrapped(optional);";
}

def Aten_HashOp : Aten_OnContainer<"hash", "generic", (ins Spelled<AnyArg, "t">:$value), Int, "hashOf(value)">;
def Aten_IsInstanceOp : Aten_OnContainer<"_isinstance", "", (ins Spelled<AnyArg, "t">:$value, StrList:$names), Bool,
    "isOfType(value, names)"> {
  let summary = "Whether a value, of which a call says what it is, is of one of the types of these names";
  let ns = "jit";
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

def Aten_EqDeviceOp : Aten_OnContainer<"eq", "device", (ins Device:$a, Device:$b), Bool, "sameDevice(a, b, false)">;
def Aten_NeDeviceOp : Aten_OnContainer<"ne", "device", (ins Device:$a, Device:$b), Bool, "sameDevice(a, b, true)">;

//===----------------------------------------------------------------------===//
// Modes
//===----------------------------------------------------------------------===//

def Aten_IsPinnedOp : Aten_Op<"is_pinned", "", (ins Tensor:$self, Default<OptDevice, "None">:$device), (outs Bool:$result)> {
  let summary = "No: memory that is pinned for a device is copied before a program sees it";
  let decompose = "return build.flag(false);";
}
// The mode is a state that Normalize resolves; a program begins with gradients.
def Aten_IsGradEnabledOp : Aten_Op<"is_grad_enabled", "", (ins), (outs Bool:$result), []> {
  let decompose = "return build.flag(true);";
}
def Aten_SetGradEnabledOp : Aten_Op<"set_grad_enabled", "", (ins Bool:$val), (outs), []> {
  let decompose = "return {};";
}
