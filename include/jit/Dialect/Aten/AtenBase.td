//===- AtenBase.td - an operator is one record -------------*- tablegen -*-===//
//
// The classes that every family table is written with. A record's fields are its rules, each an
// expression over the names of its own arguments; docs/add-an-op.md is the guide.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_DIALECT_ATEN_BASE_TD
#define JIT_DIALECT_ATEN_BASE_TD

include "jit/Dialect/Aten/AtenInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Aten_Dialect : Dialect {
  let name = "aten";
  let cppNamespace = "::jit::aten";
  let summary = "PyTorch's operators, one op per overload, operands in schema order";
  let dependentDialects = ["::jit::JitDialect"];
  let hasConstantMaterializer = 1;
  let usePropertiesForAttributes = 0; // no operator has attributes of its own; ODS would write eight functions into each
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// An argument kind: its spelling in a schema, the handle under which each kind of rule sees it, and the
/// C++ expression of its type where it is a result.
class AtenArg<Pred pred, string spelling_, string info_, string element_, string graph_, string resultType_ = "">
    : TypeConstraint<pred, spelling_> {
  string spelling = spelling_;      // "Tensor?"
  string info = info_;              // in `type`:      what is known of the operand
  string element = element_;        // in `scalar`:    one element of it
  string graph = graph_;            // in `decompose`, `scatter`: the operand
  string resultType = resultType_;
  string defaultValue = "";         // "=1"
  bit kwOnly = 0;
}

defvar isTensor = CPred<"::llvm::isa<::jit::TensorType>($_self)">;
defvar isInt = CPred<"$_self.isInteger(64)">;
defvar isFloat = CPred<"$_self.isF64()">;
defvar isBool = CPred<"$_self.isInteger(1)">;
defvar isStr = CPred<"::llvm::isa<::jit::StrType>($_self)">;
defvar isDevice = CPred<"::llvm::isa<::jit::DeviceType, ::jit::StrType>($_self)">;
defvar isComplexNumber = CPred<"::llvm::isa<::mlir::ComplexType>($_self)">;
defvar isNumber = CPred<"($_self.isInteger(64) || $_self.isF64() || $_self.isInteger(1) || ::llvm::isa<::jit::NumberType, ::mlir::ComplexType>($_self))">;
defvar isList = CPred<"::llvm::isa<::jit::ListType>($_self)">;
defvar isMissing = CPred<"::llvm::isa<::jit::NoneType, ::jit::OptionalType>($_self)">;

class Opt<Pred p> { Pred pred = Or<[p, isMissing]>; }

def Tensor    : AtenArg<isTensor, "Tensor", "TensorInfo", "Element", "Tensor", "infer.tensor()">;
/// A tensor whose elements reach the scalar rule as they are, not promoted with the others.
def RawTensor : AtenArg<isTensor, "Tensor", "TensorInfo", "RawElement", "Tensor", "infer.tensor()">;
/// A tensor that takes part in promotion; where it is a single element, halves meet it as it is, not rounded to a half.
def OpmathTensor : AtenArg<isTensor, "Tensor", "TensorInfo", "OpmathElement", "Tensor", "infer.tensor()">;
def OptTensor : AtenArg<Opt<isTensor>.pred, "Tensor?", "TensorInfo", "OptElement", "OptTensor">;
def Int       : AtenArg<isInt, "int", "IntInfo", "RawElement", "Int", "infer.i64()">;
def OptInt    : AtenArg<Opt<isInt>.pred, "int?", "IntInfo", "OptRaw", "OptInt">;
def Float     : AtenArg<isFloat, "float", "FloatInfo", "RawElement", "Float", "infer.f64()">;
def OptFloat  : AtenArg<Opt<isFloat>.pred, "float?", "FloatInfo", "OptRaw", "OptFloat">;
def Bool      : AtenArg<isBool, "bool", "BoolInfo", "RawElement", "Bool", "infer.i1()">;
def OptBool   : AtenArg<Opt<isBool>.pred, "bool?", "BoolInfo", "OptRaw", "OptBool">;
def ComplexNumber : AtenArg<isComplexNumber, "complex", "AnyInfo", "RawElement", "ComplexNumber", "infer.complexNumber()">;
/// An int, float, bool or complex that takes part in type promotion like a tensor of rank 0, but weaker.
def Scalar    : AtenArg<isNumber, "Scalar", "ScalarInfo", "Element", "Scalar", "infer.number()">;
/// A Scalar that takes part in promotion, but that halves meet as it is, not rounded to a half.
def OpmathScalar : AtenArg<isNumber, "Scalar", "ScalarInfo", "OpmathElement", "Scalar">;
/// A Scalar that is converted to the computing type but has no say in it (`alpha`).
def ScalarParam : AtenArg<isNumber, "Scalar", "ScalarInfo", "Param", "Scalar">;
def OptScalar : AtenArg<Opt<isNumber>.pred, "Scalar?", "ScalarInfo", "OptElement", "OptScalar">;
def Str       : AtenArg<isStr, "str", "StrInfo", "StrElement", "Str", "infer.str()">;
def OptStr    : AtenArg<Opt<isStr>.pred, "str?", "StrInfo", "StrElement", "Str">;
def Device    : AtenArg<isDevice, "Device", "AnyInfo", "Ignored", "Any", "infer.device()">;
def OptDevice : AtenArg<Opt<isDevice>.pred, "Device?", "AnyInfo", "Ignored", "Any">;
def DType     : AtenArg<isInt, "ScalarType", "IntInfo", "Ignored", "OptInt", "infer.i64()">;
def OptDType  : AtenArg<Opt<isInt>.pred, "ScalarType?", "IntInfo", "Ignored", "OptInt">;
def OptLayout : AtenArg<Opt<isInt>.pred, "Layout?", "IntInfo", "Ignored", "OptInt">;
def MemoryFormat : AtenArg<isInt, "MemoryFormat", "IntInfo", "Ignored", "OptInt">;
def OptMemoryFormat : AtenArg<Opt<isInt>.pred, "MemoryFormat?", "IntInfo", "Ignored", "OptInt">;
def OptGenerator : AtenArg<Opt<CPred<"true">>.pred, "Generator?", "AnyInfo", "Ignored", "Any">;
def AnyArg    : AtenArg<CPred<"true">, "t", "AnyInfo", "Ignored", "Any", "infer.any()">;
class List<string spelling, string element> : AtenArg<isList, spelling, "ListInfo", "Ignored", "IntList", "infer.list(" # element # ")">;
class OptList<string spelling>
    : AtenArg<Opt<isList>.pred, spelling, "ListInfo", "Ignored", "OptIntList", "OptionalType::get(infer.list(infer.i64()))">;
def IntList   : List<"int[]", "infer.i64()">;
def FloatList : List<"float[]", "infer.f64()">;
def BoolList  : List<"bool[]", "infer.i1()">;
def ComplexList : List<"complex[]", "infer.complexNumber()">;
def StrList   : List<"str[]", "infer.str()">;
def TensorList : AtenArg<isList, "Tensor[]", "ListInfo", "Ignored", "TensorList", "infer.list(infer.tensor())">;
def AnyList   : AtenArg<isList, "t[]", "ListInfo", "Ignored", "AnyList", "infer.any()">;
def OptIntList : OptList<"int[]?">;
def OptFloatList : OptList<"float[]?">;
/// PyTorch writes sizes that may be symbolic as SymInt; to us they are ints.
def SymInt    : AtenArg<isInt, "SymInt", "IntInfo", "RawElement", "Int", "infer.i64()">;
def OptSymInt : AtenArg<Opt<isInt>.pred, "SymInt?", "IntInfo", "OptRaw", "OptInt">;
def SymIntList : List<"SymInt[]", "infer.i64()">;
def OptSymIntList : OptList<"SymInt[]?">;

/// A list of a fixed length, or one int that stands for all of it: `int[2]`.
class Sized<AtenArg arg, int n> : AtenArg<arg.predicate, !subst("[]", "[" # n # "]", arg.spelling),
    arg.info, arg.element, arg.graph, arg.resultType>;
/// An argument that its schema spells in its own way, such as an alias: `Tensor(a -> *)`.
class Spelled<AtenArg arg, string spelling_>
    : AtenArg<arg.predicate, spelling_, arg.info, arg.element, arg.graph, arg.resultType>;
/// An argument with its default, as the schema writes it.
class Default<AtenArg arg, string value>
    : AtenArg<arg.predicate, arg.spelling, arg.info, arg.element, arg.graph, arg.resultType> {
  let defaultValue = "=" # value;
}
/// An argument behind the `*` of its schema.
class Kw<AtenArg arg> : AtenArg<arg.predicate, arg.spelling, arg.info, arg.element, arg.graph, arg.resultType> {
  let defaultValue = arg.defaultValue;
  let kwOnly = 1;
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

/// The gradient of one operand: an expression over the names of the arguments, those of the results and `grad`, the
/// gradient of the first result (of several results each has its own, `grad_<name>`). It may have the sizes and the element
/// type of the result: whoever builds it sums and converts. `build.none()` says that no gradient flows back.
class Grad<string of_, string is_> {
  string of = of_;
  string is = is_;
}

/// `handle name(ctor operands[i]);` for each argument.
class Bind<dag args, string kind, string ctor, string values> {
  string all = !foldl("", !range(!size(args)), acc, i, acc # "  [[maybe_unused]] ::jit::"
      # !cond(!eq(kind, "info") : !getdagarg<AtenArg>(args, i).info,
              !eq(kind, "element") : !getdagarg<AtenArg>(args, i).element,
              true : !getdagarg<AtenArg>(args, i).graph)
      # " " # !getdagname(args, i) # "{" # ctor # values # "[" # i # "]"
      # !if(!eq(kind, "element"), ", (*this)->getOperand(" # i # ").getType()", "") # "};\n");
}

/// The results under their names, and their gradients as `grad_<name>`; `grad` is that of the first.
class BindResults<dag outs_> {
  string all = "  [[maybe_unused]] ::jit::Tensor grad{build, build.gradOf((*this)->getResult(0))};\n"
      # !foldl("", !range(!size(outs_)), acc, i, acc
          # "  [[maybe_unused]] ::jit::Tensor " # !getdagname(outs_, i) # "{build, (*this)->getResult(" # i # ")}, grad_"
          # !getdagname(outs_, i) # "{build, build.gradOf((*this)->getResult(" # i # "))};\n");
}

/// True where a number stands where a tensor may (`other` of add.Scalar): PyTorch makes a tensor of it, which then is one
/// more operand. Other numbers are parameters.
class NumberIsOperand<dag args> {
  bit value = !foldl(0, !range(!size(args)), acc, i, !or(acc, !and(!eq(!getdagarg<AtenArg>(args, i).spelling, "Scalar"),
      !or(!eq(!getdagname(args, i), "self"), !eq(!getdagname(args, i), "other")))));
}

/// True of the arguments that take part in type promotion.
class Promotes<AtenArg arg> {
  bit value = !or(!eq(arg.element, "Element"), !eq(arg.element, "OptElement"), !eq(arg.element, "OpmathElement"));
}
/// The operands that take part in type promotion: `values[0], values[2]`.
class Promoting<dag args, string values> {
  string all = !foldl("", !range(!size(args)), acc, i, acc
      # !if(Promotes<!getdagarg<AtenArg>(args, i)>.value,
            !if(!empty(acc), "", ", ") # values # "[" # i # "]", ""));
}

class SchemaArgs<dag args, bit isView> {
  string all = !foldl("", !range(!size(args)), acc, i, acc # !if(!empty(acc), "", ", ")
      # !if(!getdagarg<AtenArg>(args, i).kwOnly,
            !if(!eq(i, 0), "*, ", !if(!getdagarg<AtenArg>(args, !if(!eq(i, 0), 0, !sub(i, 1))).kwOnly, "", "*, ")), "")
      # !if(!and(isView, !eq(i, 0)), !subst("Tensor", "Tensor(a)", !getdagarg<AtenArg>(args, i).spelling),
            !getdagarg<AtenArg>(args, i).spelling)
      # " " # !getdagname(args, i) # !getdagarg<AtenArg>(args, i).defaultValue);
}

class SchemaResults<dag results, bit isView, bit named> {
  string spelled = !foldl("", !range(!size(results)), acc, i, acc # !if(!empty(acc), "", ", ")
      # !if(isView, !subst("Tensor", "Tensor(a)", !getdagarg<AtenArg>(results, i).spelling),
            !getdagarg<AtenArg>(results, i).spelling)
      # !if(named, " " # !getdagname(results, i), ""));
  string all = !if(!eq(!size(results), 1), spelled, "(" # spelled # ")");
}

/// True where the schema says that a result is a tensor of an operand's memory.
class SharesBySchema<dag outs> {
  bit value = !foldl(0, !range(!size(outs)), acc, i, !or(acc, !and(!eq(!find(!getdagarg<AtenArg>(outs, i).spelling, "Tensor("), 0),
      !lt(!find(!getdagarg<AtenArg>(outs, i).spelling, "["), 0))));
}

/// The number of the argument of this name; -1 for none.
class Position<dag args, string name> {
  int at = !foldl(-1, !range(!size(args)), acc, i, !if(!eq(!getdagname(args, i), name), i, acc));
}
/// The numbers of the arguments of these names: `{0, 2}`.
class Positions<dag args, list<string> names> {
  list<int> numbers = !foreach(name, names, Position<args, name>.at);
  assert !empty(!filter(number, numbers, !lt(number, 0))), "expected names of arguments, got " # !interleave(names, ", ");
  string all = "{" # !interleave(numbers, ", ") # "}";
}

/// An operator that can be lowered where sizes are open.
def TakesOpenSizes : NativeOpTrait<"TakesOpenSizes"> { let cppNamespace = "::jit"; }

/// What is known of the strides of new memory.
def GivesUnusualStrides : NativeOpTrait<"GivesUnusualStrides"> { let cppNamespace = "::jit"; }
/// PyTorch gives an operand itself, or a view of one, where that is the result.
def MayGiveOperand : NativeOpTrait<"MayGiveOperand"> { let cppNamespace = "::jit"; }
def KeepsStrides : NativeOpTrait<"KeepsStrides"> { let cppNamespace = "::jit"; }
def CopiesStorage : NativeOpTrait<"CopiesStorage"> { let cppNamespace = "::jit"; }
def GivesRows : NativeOpTrait<"GivesRows"> { let cppNamespace = "::jit"; }
def GivesRowsOfLarger : NativeOpTrait<"GivesRowsOfLarger"> { let cppNamespace = "::jit"; }
def KeepsChannelsLast : NativeOpTrait<"KeepsChannelsLast"> { let cppNamespace = "::jit"; }
/// It divides each element by the second operand; integers by 0 are an error.
def DividesElements : NativeOpTrait<"DividesElements"> { let cppNamespace = "::jit"; }
/// It casts its operand to the element type of an `out=` and computes in that, without a `dtype`.
def ComputesInOut : NativeOpTrait<"ComputesInOut"> { let cppNamespace = "::jit"; }
/// All elements of what it gives are one number.
def GivesOneNumber : NativeOpTrait<"GivesOneNumber"> { let cppNamespace = "::jit"; }
def MayBeSelf : NativeOpTrait<"MayBeSelf"> { let cppNamespace = "::jit"; }
/// It says something of gradients alone: where none are to come it is its body.
def OfGradientsAlone : NativeOpTrait<"OfGradientsAlone"> { let cppNamespace = "::jit"; }
/// It goes over the steps of a sequence, and becomes a loop.
def OverSequence : NativeOpTrait<"OverSequence"> { let cppNamespace = "::jit"; }
/// It goes over the elements along a dimension: of one number or none it is that, in whatever element type it is written to.
def ScansElements : NativeOpTrait<"ScansElements"> { let cppNamespace = "::jit"; }
/// It takes a number where a tensor may stand.
def TakesNumberAsTensor : NativeOpTrait<"TakesNumberAsTensor"> { let cppNamespace = "::jit"; }
/// What it gives depends on the strides of an operand.
def AsksStrides : NativeOpTrait<"AsksStrides"> { let cppNamespace = "::jit"; }
/// A view that may show an element of its operand in several places.
def RepeatsElements : NativeOpTrait<"RepeatsElements"> { let cppNamespace = "::jit"; }

class Aten_Op<string base, string overload, dag args, dag outs_ = (outs Tensor:$result),
              list<Trait> extra = [Pure]>
    : Op<Aten_Dialect, base # !if(!empty(overload), "", "." # overload)> {
  let arguments = args;
  let results = outs_;
  let hasCustomAssemblyFormat = 1; // `%results = aten.name operands attributes : function type`, one code for all
  // One builder and not ODS's fourteen: they would be half of what there is to compile.
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::mlir::TypeRange":$types, "::mlir::ValueRange":$operands),
                            "$_state.addTypes(types);\n$_state.addOperands(operands);">];

  // ---- The rules: expressions over the names in `arguments`. ----
  string type = "";        // result type(s); may stay empty where no result is a tensor
  string scalar = "";      // one element, or the scalar itself  \.
  string decompose = "";   // the body in simpler ops             } exactly one
  bit lowered = 0;         // a pattern in lib/Lower/<Family>.cpp /
  string scatter = "";     // views: self after `written` was written through the result
  string view = "";        // views: whether the result shares memory, and its strides, from `base`, the layout of self
  list<Grad> grads = [];   // where none are given: through `scatter` or `decompose`
  string ns = "aten";      // the namespace of the schema
  list<string> aliases = []; // further names that PyTorch has for it, with the same arguments: "multiply.Tensor", or whole schemas
  bit toFloat = 0;         // integers are computed as the default float type
  bit namedResults = 0;    // the schema names its results
  bit unusualStrides = 0;  // new memory that need not be row-major where that of all operands is
  string newLayout = "";   // new memory with strides of its own: its layout, from `stridedOf`, the sizes and strides of operands, and `result`
  bit givesRows = 0;       // new memory that is row-major whatever the operands' strides
  bit givesRowsOfLarger = 0; // new memory that is row-major where the first operand has at least the dimensions of the second
  bit keepsChannelsLast = 0; // rows of what lies in the order of rows, but images and volumes whose channels come last, if those of an operand do; with givesRows, of other ranks whatever the strides
  bit givesOneNumber = 0;  // all elements of the result are one number
  bit keepsStrides = 0;    // new memory with the strides of the first operand, or of the memory format that is the last one (None or a number)
  bit copiesStorage = 0;   // new memory with gaps: a copy of all the memory of the first operand, seen as that sees it
  bit mayGiveOperand = 0;  // the result may be an operand's memory, which the schema does not say
  bit mayBeSelf = 0;       // the result may be the very tensor that self is, not another one of its memory
  bit asksStrides = 0;     // the result depends on the strides of an operand, or on where its memory begins
  bit repeatsElements = 0; // a view that may show an element of self in several places
  string fill = "";        // the number that all elements are: 0, 1 or the name of an argument
  string part = "";        // of a list of views: the part at the place `at`
  list<list<string>> linear = []; // sets of operands in which it is linear together; a view is linear in what it shows
  list<string> product = [];      // what has the rows of a product, and the weight
  list<string> dropout = [];      // what says how much is dropped out: the probability, the flag, the number of layers
  bit openSizes = 0;       // the pattern of a `lowered` operator takes sizes from its operands where types leave them open

  bit isView = !not(!empty(scatter));
  assert !eq(!add(!if(!empty(scalar), 0, 1), !if(!empty(decompose), 0, 1), lowered), 1),
         "an operator says exactly once how it is computed (scalar, decompose or lowered): " # base # "." # overload;
  assert !or(!empty(fill), !eq(fill, "0"), !eq(fill, "1"), !ge(Position<args, fill>.at, 0)),
         "expected 0, 1 or the name of an argument as the fill of " # base # ", got " # fill;
  assert !eq(!empty(scatter), !empty(view)), "a view says both how it is written and what strides it has: " # base;

  list<list<string>> linearSets = linear
    # !foreach(i, !range(!if(!and(!empty(linear), !not(!empty(scatter))), 1, 0)), [!getdagname(args, i)]);
  string typeExpr = !if(!empty(type), !interleave(!foreach(i, !range(!size(outs_)),
      !getdagarg<AtenArg>(outs_, i).resultType), ", "), type);
  let traits = extra # [AtenOpInterface, DeclareOpInterfaceMethods<InferTypeOpInterface>]
    # !if(!empty(scalar), []<Trait>, [DeclareOpInterfaceMethods<PointwiseOpInterface>])
    # !if(!empty(decompose), []<Trait>, [DeclareOpInterfaceMethods<DecomposableOpInterface>])
    # !if(!empty(scatter), []<Trait>, [DeclareOpInterfaceMethods<ViewOpInterface>])
    # !if(!empty(grads), []<Trait>, [DeclareOpInterfaceMethods<DifferentiableOpInterface>])
    # !if(unusualStrides, [GivesUnusualStrides], []<Trait>) # !if(keepsStrides, [KeepsStrides], []<Trait>)
    # !if(copiesStorage, [CopiesStorage], []<Trait>)
    # !if(!empty(newLayout), []<Trait>, [DeclareOpInterfaceMethods<NewLayoutInterface>])
    # !if(givesRows, [GivesRows], []<Trait>) # !if(givesRowsOfLarger, [GivesRowsOfLarger], []<Trait>)
    # !if(keepsChannelsLast, [KeepsChannelsLast], []<Trait>)
    # !if(!or(givesOneNumber, !not(!empty(fill))), [GivesOneNumber], []<Trait>)
    # !if(!empty(fill), []<Trait>, [DeclareOpInterfaceMethods<FillOpInterface>])
    # !if(!empty(part), []<Trait>, [DeclareOpInterfaceMethods<SplitOpInterface>])
    # !if(!empty(linearSets), []<Trait>, [LinearOpInterface]) # !if(!empty(product), []<Trait>, [ProductOpInterface])
    # !if(!empty(dropout), []<Trait>, [DropoutOpInterface])
    // Of what shares memory and is no view here, as long as it is not made of views, nobody knows what a write to it reaches.
    # !if(!or(mayGiveOperand, !and(!empty(view), SharesBySchema<outs_>.value)), [MayGiveOperand], []<Trait>) # !if(mayBeSelf, [MayBeSelf], []<Trait>)
    # !if(asksStrides, [AsksStrides], []<Trait>) # !if(repeatsElements, [RepeatsElements], []<Trait>)
    # !if(NumberIsOperand<args>.value, [TakesNumberAsTensor], []<Trait>)
    # !if(!or(openSizes, !not(!empty(scalar))), [TakesOpenSizes], []<Trait>);

  string signature = "(" # SchemaArgs<args, isView>.all # ") -> " # SchemaResults<outs_, isView, namedResults>.all;
  string schema = ns # "::" # base # !if(!empty(overload), "", "." # overload) # signature;
  let extraClassDeclaration = "static ::llvm::StringRef getSchema() { return R\"__(" # schema # ")__\"; }\n"
    # "static ::llvm::SmallVector<::llvm::StringRef, 0> getAliases() { return {"
    # !interleave(!foreach(alias, aliases, "R\"__(" # !if(!ge(!find(alias, "("), 0), alias, ns # "::" # alias # signature) # ")__\""), ", ") # "}; }\n"
    # "static bool isCompatibleReturnTypes(::mlir::TypeRange inferred, ::mlir::TypeRange actual);"
    # !if(!empty(linearSets), "", "\nstatic ::llvm::SmallVector<::llvm::SmallVector<unsigned, 2>, 2> getLinearOperands() { return {"
          # !interleave(!foreach(set, linearSets, Positions<args, set>.all), ", ") # "}; }")
    # !if(!empty(product), "", "\nstatic ::std::pair<unsigned, unsigned> getRowsAndWeight() { return "
          # Positions<args, product>.all # "; }")
    # !if(!empty(dropout), "", "\nstatic ::llvm::SmallVector<unsigned, 3> getDropoutOperands() { return "
          # Positions<args, dropout>.all # "; }");
  let extraClassDefinition = [{
::mlir::ParseResult $cppClass::parse(::mlir::OpAsmParser &parser, ::mlir::OperationState &result) {
  return ::jit::aten::parseOperator(parser, result);
}
void $cppClass::print(::mlir::OpAsmPrinter &printer) { ::jit::aten::printOperator(printer, getOperation()); }
::llvm::LogicalResult $cppClass::inferReturnTypes(::mlir::MLIRContext *context,
    ::std::optional<::mlir::Location> loc, ::mlir::ValueRange operands, ::mlir::DictionaryAttr,
    ::mlir::OpaqueProperties, ::mlir::RegionRange, ::llvm::SmallVectorImpl<::mlir::Type> &types) {
  ::jit::TypeRules infer{context, loc};
}] # Bind<args, "info", "", "operands">.all # "  return infer.yield(types, {" # typeExpr # "});\n}\n" # [{
bool $cppClass::isCompatibleReturnTypes(::mlir::TypeRange inferred, ::mlir::TypeRange actual) {
  return ::jit::areConsistent(inferred, actual);
}
}]
  # !if(!empty(scalar), "",
      "::mlir::Value $cppClass::emitScalar(::mlir::OpBuilder &builder, ::mlir::Location loc, ::mlir::ValueRange args) {\n"
      # "  ::mlir::Type promoted = promotedType();\n"
      # "  ::jit::ScalarBuilder build{builder, loc, ::jit::opmathType(promoted), promoted};\n"
      # Bind<args, "element", "build, ", "args">.all # "  return ::jit::unwrap(" # scalar # ");\n}\n"
      # "::mlir::Type $cppClass::promotedType() {\n  [[maybe_unused]] auto operands = (*this)->getOperands();\n"
      # "  return ::jit::promotedType({" # Promoting<args, "operands">.all # "}, " # !if(toFloat, "true", "false")
      # ");\n}\n")
  # !if(!empty(decompose), "",
      "::jit::Decomposed $cppClass::decompose(::mlir::OpBuilder &builder) {\n"
      # "  ::jit::GraphBuilder build{builder, getLoc()};\n"
      # Bind<args, "graph", "build, ", "(*this)->getOperands()">.all
      # "  auto body = [&]() -> ::jit::Decomposition {" # decompose # "};\n  return body();\n}\n")
  # !if(!empty(scatter), "",
      "::mlir::Value $cppClass::scatter(::mlir::OpBuilder &builder, ::mlir::Value base, ::mlir::Value value) {\n"
      # "  ::jit::GraphBuilder build{builder, getLoc()};\n"
      # "  ::llvm::SmallVector<::mlir::Value> operands((*this)->getOperands());\n  operands[0] = base;\n"
      # Bind<args, "graph", "build, ", "operands">.all
      # "  ::jit::Tensor written{build, value};\n  return ::jit::unwrap(" # scatter # ");\n}\n")
  # !if(!empty(view), "",
      "::jit::ViewOf $cppClass::viewOf(const ::jit::Layout &base) {\n"
      # "  ::mlir::OpBuilder builder((*this)->getContext());\n  ::jit::GraphBuilder build{builder, getLoc()};\n"
      # Bind<args, "graph", "build, ", "(*this)->getOperands()">.all
      # "  [[maybe_unused]] ::mlir::Value viewed = (*this)->getResult(0);\n  return " # view # ";\n}\n")
  # !if(!empty(newLayout), "",
      "::std::optional<::jit::Layout> $cppClass::newLayout(::jit::StridedOf stridedOf) {\n"
      # "  ::mlir::OpBuilder builder((*this)->getContext());\n  ::jit::GraphBuilder build{builder, getLoc()};\n"
      # Bind<args, "graph", "build, ", "(*this)->getOperands()">.all
      # "  [[maybe_unused]] ::mlir::Value result = (*this)->getResult(0);\n  return " # newLayout # ";\n}\n")
  # !if(!empty(fill), "",
      "::std::optional<double> $cppClass::getFill() {\n"
      # "  return " # !cond(!eq(fill, "0") : "0", !eq(fill, "1") : "1",
            true : "::jit::knownNumber((*this)->getOperand(" # Position<args, fill>.at # "))") # ";\n}\n")
  # !if(!empty(part), "",
      "::mlir::Value $cppClass::part(::mlir::OpBuilder &builder, ::mlir::Value place) {\n"
      # "  ::jit::GraphBuilder build{builder, getLoc()};\n  ::jit::Int at{build, place};\n"
      # Bind<args, "graph", "build, ", "(*this)->getOperands()">.all # "  return ::jit::unwrap(" # part # ");\n}\n")
  # !if(!empty(grads), "",
      "::llvm::LogicalResult $cppClass::differentiate(::jit::GradBuilder &build) {\n"
      # Bind<args, "graph", "build, ", "(*this)->getOperands()">.all # BindResults<outs_>.all
      # !foldl("", grads, acc, g, acc # "  if (build.wants(" # g.of # ") && failed(build.add(" # g.of
          # ", [&]() -> ::jit::Gradient { return " # g.is # "; }())))\n    return ::mlir::failure();\n")
      # "  return ::mlir::success();\n}\n");
}

/// One result element from one element of each tensor operand; operands broadcast and promote.
class Aten_Pointwise<string base, string overload, dag args, list<Trait> extra = [Pure]>
    : Aten_Op<base, overload, args, (outs Tensor:$result), extra> {
  let type = "infer.pointwise(operands, {" # Promoting<args, "operands">.all # "}, " # !if(toFloat, "true", "false") # ")";
}
/// A pointwise operator whose integer operands are computed in the default float type (exp, sqrt, div).
class Aten_FloatPointwise<string base, string overload, dag args> : Aten_Pointwise<base, overload, args> {
  let toFloat = 1;
}
/// A pointwise operator with a bool result.
class Aten_Predicate<string base, string overload, dag args> : Aten_Op<base, overload, args> {
  let type = "infer.predicate(operands)";
}
/// A composition that no stage has to see whole: it becomes its body as soon as enough is known of its operands, so that it
/// needs no `type` rule.
def DecomposesEarly : NativeOpTrait<"DecomposesEarly"> { let cppNamespace = "::jit"; }
class Aten_Composite<string base, string overload, dag args, string body, dag outs_ = (outs Tensor:$result)>
    : Aten_Op<base, overload, args, outs_, [Pure, DecomposesEarly]> {
  let decompose = body;
}
/// An operator on Python scalars: its scalar rule becomes arith ops as soon as it is seen.
class Aten_ScalarOp<string base, string overload, dag args, AtenArg result_>
    : Aten_Op<base, overload, args, (outs result_:$result)>;

#endif // JIT_DIALECT_ATEN_BASE_TD
