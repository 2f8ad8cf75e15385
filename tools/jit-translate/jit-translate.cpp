//===- jit-translate.cpp - programs to MLIR, MLIR to PTX and pictures -----===//

#include "Tools.h"
#include "jit/Codegen/Gpu.h"
#include "jit/Dialect/Aten/CustomOperators.h"
#include "jit/Draw/Svg.h"
#include "jit/Export/Export.h"
#include "jit/Import/GraphText.h"
#include "jit/Import/Importers.h"
#include "jit/Import/OperatorList.h"
#include "jit/Import/SchemaIndex.h"
#include "jit/Pipeline/Pipeline.h"
#include "jit/Pipeline/Registration.h"
#include "jit/Pipeline/Version.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

namespace cl = llvm::cl;

namespace {
enum class Form { Mlir, Svg };

/// Made where the tool begins: options that always are would be those of all tools in libjit.
struct CommandLine {
  cl::OptionCategory category{"JIT options"};
  cl::opt<std::string> file{cl::Positional, cl::desc("[FILE]"), cl::cat(category)};
  cl::opt<std::string> any{"import", cl::cat(category), cl::value_desc("file"),
                           cl::desc("Import a program, whatever its format; so does FILE "
                                    "alone")};
  cl::opt<Form> form{"emit", cl::cat(category), cl::init(Form::Mlir),
                     cl::desc("What to make of an imported program (mlir):"),
                     cl::values(clEnumValN(Form::Mlir, "mlir", "text"),
                                clEnumValN(Form::Svg, "svg", "a picture of its graph"))};
  cl::opt<std::string> last{"to", cl::cat(category), cl::value_desc("stage"),
                            cl::desc("Run the stages up to this one first: normalize, "
                                     "functionalize, specialize, ..., fuse, lower; or pt2: "
                                     "write what torch.export.load reads")};
  cl::opt<std::string> entry{"entry", cl::cat(category), cl::value_desc("name"),
                             cl::init("forward"),
                             cl::desc("The method that --to is for (forward)")};
  cl::opt<std::string> args{"args", cl::cat(category), cl::value_desc("specs"),
                            cl::desc("What --to knows of its arguments: "
                                     "f32[1,3,224,224],16000")};
  cl::opt<std::string> torchscript{"import-torchscript", cl::cat(category), cl::value_desc("file"),
                                   cl::desc("Import what torch.jit.save wrote")};
  cl::opt<std::string> graph{"import-graph", cl::cat(category), cl::value_desc("file"),
                             cl::desc("Import the text of a TorchScript graph, as print() "
                                      "writes it and torch._C.parse_ir reads it")};
  cl::opt<std::string> toGraph{"export-graph", cl::cat(category), cl::value_desc("file"),
                               cl::desc("Import a program, whatever its format, and print it "
                                        "as such a text")};
  cl::opt<std::string> report{"report", cl::cat(category), cl::value_desc("file"),
                              cl::desc("Import a program, whatever its format, and print all "
                                       "that is missing here instead of it; exit code 1 if "
                                       "anything is")};
  cl::opt<bool> json{"json", cl::cat(category), cl::desc("The report or the list as JSON")};
  cl::opt<bool> listOperators{"list-operators", cl::cat(category),
                              cl::desc("Print the schemas of all supported operators")};
  cl::list<std::string> operators{"operators", cl::cat(category), cl::value_desc("file.so"),
                                  cl::desc("A file of operators of your own (jit-c/Operators.h)")};
  cl::opt<std::string> ptx{"mlir-to-ptx", cl::cat(category), cl::value_desc("file"),
                           cl::desc("Compile entries on tensors to kernels, as PTX")};
  cl::opt<std::string> chip{"chip", cl::cat(category), cl::value_desc("name"),
                            cl::desc("The GPU to compile for, e.g. sm_90 (this machine's, or "
                                     "sm_80)")};
  cl::opt<std::string> ncLoads{"gpu-nc-loads", cl::cat(category), cl::value_desc("policy"),
                               cl::init(jit::codegen::CodegenOptions().gpuNcLoads),
                               cl::desc("Loads through the read-only cache: of operands that "
                                        "are broadcast, all or none (broadcast)")};
  cl::opt<bool> tf32{"gpu-tf32", cl::cat(category),
                     cl::desc("Products of f32 on tensor cores, factors rounded to 10 bits")};
  cl::opt<std::string> output{"o", cl::cat(category), cl::value_desc("file"), cl::init("-"),
                              cl::desc("Where to write the result (default: -)")};
};
} // namespace

/// A program of which something is missing is no result, but where it holds that as it is written.
static mlir::OwningOpRef<mlir::ModuleOp> import(mlir::MLIRContext &context,
                                                const CommandLine &line) {
  jit::Coverage coverage;
  auto as = [&](llvm::StringRef format,
                const std::string &path) -> mlir::OwningOpRef<mlir::ModuleOp> {
    auto file = jit::ProgramFile::open(path);
    if (!file) {
      mlir::emitError(mlir::UnknownLoc::get(&context)) << file.error().str();
      return nullptr;
    }
    const auto *importer = llvm::find_if(
        jit::importers(), [&](const jit::Importer &candidate) { return candidate.name == format; });
    return importer->import(*file, context, coverage);
  };
  auto module = !line.torchscript.empty() ? as("torchscript", line.torchscript)
                : !line.graph.empty() ? as("graph", line.graph)
                                      : jit::importFile(line.any.empty() ? line.toGraph : line.any,
                                                        context, coverage);
  coverage.emitErrors();
  return coverage.isKept() ? std::move(module) : nullptr;
}

/// A graph has no calls: what the program calls becomes part of it.
static llvm::LogicalResult printGraph(mlir::ModuleOp module, llvm::raw_ostream &os) {
  mlir::PassManager passes(module.getContext());
  return llvm::success(succeeded(mlir::parsePassPipeline("jit-inline-methods", passes)) &&
                       succeeded(passes.run(module)) &&
                       succeeded(jit::exportGraphText(module, os)));
}

/// What `--to=pt2` asks for. Names of arguments are gone once a call is settled.
static llvm::LogicalResult translateToPt2(mlir::ModuleOp module, const CommandLine &line,
                                          llvm::raw_ostream &os) {
  jit::PipelineOptions options{.entry = line.entry, .args = line.args};
  options.keepsComplex = true;
  jit::ExportedCall call{line.entry, line.args, {}, jit::aliasesOf(module)};
  for (llvm::ArrayRef<jit::Stage> stages : {jit::programStages(), jit::variantStages()}) {
    if (stages.data() == jit::variantStages().data())
      call.argumentNames = jit::argumentNames(module, line.entry);
    for (const jit::Stage &stage : stages) {
      // What later stages ask of complex tensors is not yet so.
      if (failed(jit::runStage(stage, module, options, /*verify=*/false)))
        return mlir::failure();
      if (stage.name == "gradients")
        break;
    }
  }
  return jit::exportProgram(module, call,
                            [&](std::string_view bytes) { os.write(bytes.data(), bytes.size()); });
}

/// What --import, --export-graph, --to and --emit ask for.
static llvm::LogicalResult translate(mlir::MLIRContext &context, const CommandLine &line,
                                     llvm::raw_ostream &os) {
  mlir::OwningOpRef<mlir::ModuleOp> module = import(context, line);
  if (!module)
    return mlir::failure();
  if (line.last == "pt2")
    return translateToPt2(*module, line, os);
  if (!line.last.empty() &&
      failed(jit::runStagesTo(line.last, *module, {.entry = line.entry, .args = line.args},
                              /*verify=*/true)))
    return mlir::failure();
  if (!line.toGraph.empty())
    return printGraph(*module, os);
  if (line.form == Form::Mlir) {
    module->print(os);
    return mlir::success();
  }
  auto picture = jit::drawSvg(*module);
  if (succeeded(picture))
    os << *picture;
  return picture;
}

/// Prints what is missing of a program, or wrong with it; false if anything is.
static bool printReport(mlir::MLIRContext &context, const CommandLine &line,
                        llvm::raw_ostream &os) {
  jit::Coverage coverage;
  {
    mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
      coverage.missing(jit::Coverage::Kind::Program, diagnostic.getLocation(), diagnostic.str());
    });
    jit::importFile(line.report, context, coverage);
  }
  line.json ? coverage.printJson(os) : coverage.print(os);
  return coverage.isComplete();
}

static llvm::FailureOr<std::string> compileToPtx(mlir::MLIRContext &context,
                                                 const CommandLine &line) {
  auto module = jit::parseTextFile(line.ptx, context);
  if (!module)
    return mlir::failure();
  jit::codegen::CodegenOptions options;
  options.chip = line.chip;
  options.gpuNcLoads = line.ncLoads;
  options.gpuTf32 = line.tf32;
  return jit::codegen::compileToPtx(*module, options);
}

static int fail(const llvm::Twine &message) {
  llvm::errs() << "jit-translate: " << message << "\n";
  return 1;
}

/// Does what was asked for, once.
static int run(mlir::MLIRContext &context, const CommandLine &line) {
  std::string message;
  auto out = mlir::openOutputFile(line.output, &message);
  if (!out)
    return fail(message);
  if (line.listOperators) {
    if (line.json)
      jit::printOperatorList(context, out->os());
    else
      for (const jit::Overload &overload : jit::SchemaIndex(context).overloadsInOrder())
        out->os() << overload.text << "\n";
  } else if (!line.ptx.empty()) {
    auto text = compileToPtx(context, line);
    if (mlir::failed(text))
      return 1;
    out->os() << *text;
  } else if (!line.report.empty()) {
    if (!printReport(context, line, out->os())) {
      out->keep();
      return 1;
    }
  } else if (failed(translate(context, line, out->os()))) {
    return 1;
  }
  out->keep();
  return 0;
}

int jit_translate_main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  CommandLine line;
  mlir::registerAsmPrinterCLOptions();
  cl::HideUnrelatedOptions(line.category);
  if (cl::Option *debugInfo = cl::getRegisteredOptions().lookup("mlir-print-debuginfo")) {
    debugInfo->addCategory(line.category);
    debugInfo->setHiddenFlag(cl::NotHidden);
  }
  cl::SetVersionPrinter(jit::printVersion);
  cl::ParseCommandLineOptions(argc, argv,
                              "JIT: PyTorch programs to MLIR, MLIR to PTX and pictures\n");
  if (!line.any.empty() && !line.file.empty())
    return fail("expected one file to import, got '" + line.any + "' and '" + line.file + "'");
  if (line.any.empty())
    line.any.setValue(line.file);
  if (line.any.empty() + line.torchscript.empty() + line.graph.empty() + line.toGraph.empty() +
          line.ptx.empty() + line.report.empty() + !line.listOperators !=
      6)
    return fail("expected a file to import or one of --import-torchscript, --import-graph, "
                "--export-graph, --report, --mlir-to-ptx and --list-operators");

  if (line.last == "pt2" && line.output == "-")
    return fail("expected a file for --to=pt2 to write, as -o program.pt2");

  mlir::DialectRegistry registry;
  jit::registerDialects(registry);
  jit::registerPasses();
  auto operators =
      jit::CustomOperators::load(std::vector(line.operators.begin(), line.operators.end()));
  if (!operators)
    return fail(operators.error().str());
  jit::CustomOperators::add(std::move(*operators), registry);
  mlir::MLIRContext context(registry);
  llvm::SourceMgr sources;
  mlir::SourceMgrDiagnosticHandler handler(sources, &context);
  return run(context, line);
}
