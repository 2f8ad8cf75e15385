//===- CommandLine.cpp - what jit-run is told -----------------------------===//

#include "CommandLine.h"
#include "jit/Pipeline/Version.h"
#include "jit/Session/Progress.h"
#include "llvm/Support/CommandLine.h"

#include <memory>

namespace cl = llvm::cl;

namespace jit {
using namespace runtime;

CommandLine parseCommandLine(int argc, char **argv) {
  // LLVM's libraries register options of their own for their own tools, some by names that we
  // use: they are none of this tool's, so start from none.
  cl::ResetCommandLineParser();
  cl::OptionCategory category("jit-run options");
  cl::opt<std::string> file(cl::Positional, cl::Required, cl::desc("FILE"), cl::cat(category));
  cl::opt<std::string> method("method", cl::desc("The method to call (forward)"),
                              cl::init("forward"), cl::value_desc("name"), cl::cat(category));
  cl::list<std::string> inputs(
      "input", cl::value_desc("spec"), cl::cat(category),
      cl::desc("An argument, in order: @x.npy, f32[1,3,224,224] (random), 16000,\n1.5, true, none, "
               "\"text\", [A,B] or (A,B); after a tensor, :grad"));
  cl::opt<std::string> repeatOver(
      "repeat-over", cl::value_desc("@x.npy"), cl::cat(category),
      cl::desc("Call once per row of this array, the row (1xN) as first\nargument, the module's "
               "state carried on; results are stacked"));
  cl::opt<std::string> output(
      "output", cl::value_desc("prefix"), cl::cat(category),
      cl::desc("Write results to PREFIX.0.npy, PREFIX.1.npy, ...;\notherwise they are printed "
               "short"));
  cl::opt<std::string> target(
      "target", cl::init("cpu"), cl::value_desc("name"), cl::cat(category),
      cl::desc(
          "cpu, cuda (cuda:1: the second such GPU), or cuda-emulation:\nits kernels here (cpu)"));
  cl::opt<std::string> chip("chip", cl::value_desc("name"), cl::cat(category),
                            cl::desc("The GPU to compile for, e.g. sm_90 (this machine's)"));
  cl::opt<std::string> ncLoads("gpu-nc-loads", cl::init("broadcast"), cl::value_desc("policy"),
                               cl::cat(category),
                               cl::desc("Read-only loads: broadcast, all or none (broadcast)"));
  cl::opt<bool> tf32("gpu-tf32", cl::cat(category),
                     cl::desc("Products of f32 on tensor cores, factors rounded to 10 bits"));
  cl::opt<GpuLibraries> libraries(
      "gpu-libraries", cl::init(GpuLibraries::Off), cl::cat(category),
      cl::desc("Plain products by cublasLt, convolutions by cuDNN (off)"),
      cl::values(clEnumValN(GpuLibraries::Off, "off", "kernels of our own"),
                 clEnumValN(GpuLibraries::Auto, "auto", "where they are found"),
                 clEnumValN(GpuLibraries::On, "on", "an error where one is missing")));
  cl::opt<unsigned> threads("threads", cl::init(0), cl::value_desc("n"), cl::cat(category),
                            cl::desc("Threads to use (0: one for each CPU that it may use)"));
  cl::opt<bool> anySizes("any-sizes", cl::cat(category),
                         cl::desc("Compile for any sizes at once, where the program can be"));
  cl::opt<unsigned> time("time", cl::init(0), cl::value_desc("n"), cl::cat(category),
                         cl::desc("Time N calls after the first; print min and median"));
  cl::opt<uint64_t> seed("seed", cl::init(0), cl::value_desc("n"), cl::cat(category),
                         cl::desc("Seed of random inputs (0)"));
  cl::opt<std::string> dumpIr("dump-ir", cl::value_desc("dir"), cl::cat(category),
                              cl::desc("Write the IR after each stage into this folder"));
  cl::opt<bool> timeReport("time-report", cl::cat(category),
                           cl::desc("Say on stderr where the time of compiling went"));
  cl::opt<Numerics> numerics(
      "numerics", cl::init(Numerics::Fast), cl::cat(category),
      cl::desc("How results may round (fast)"),
      cl::values(clEnumValN(Numerics::Strict, "strict", "each sum as the program writes it"),
                 clEnumValN(Numerics::Fast, "fast", "convolutions may lose 1e-5 of the largest")));
  cl::opt<Tier> tier(
      "tier", cl::init(Tier::Both), cl::cat(category),
      cl::desc(
          "How much is done for a CPU's code, of the same values (both; with --time optimised)"),
      cl::values(clEnumValN(Tier::Baseline, "baseline", "there sooner, may be slower"),
                 clEnumValN(Tier::Optimised, "optimised", "all that LLVM can do"),
                 clEnumValN(Tier::Both, "both", "the first until the second is there")));
  cl::opt<std::string> tiles("tiles", cl::value_desc("file"), cl::cat(category),
                             cl::desc("Compile by this table of tiles, which --tune has made"));
  cl::opt<std::string> tune("tune", cl::value_desc("file"), cl::cat(category),
                            cl::desc("After the call measure which tiles its products are fastest\n"
                                     "with on this machine, and write them to a table of tiles"));
  cl::opt<std::string> cache(
      "cache", cl::value_desc("dir"), cl::cat(category),
      cl::desc("Where compiled calls are kept for later runs: a folder, or off\n(JIT_CACHE, else "
               "the user's cache; see jit-cache)"));
  cl::list<std::string> operators("operators", cl::value_desc("file.so"), cl::cat(category),
                                  cl::desc("A file of operators of your own (jit-c/Operators.h)"));
  cl::opt<bool> verifyStages("verify-stages", cl::cat(category),
                             cl::desc("Check the IR after every pass and each stage's promise"));
  cl::opt<std::string> bundle(
      "bundle", cl::value_desc("file"), cl::cat(category),
      cl::desc("Write a compilation that fails or crashes to this file, for\n"
               "jit-opt --run-reproducer (jit-failure.mlir for a fault of ours)"));
  cl::opt<bool> isolate(
      "isolate", cl::cat(category),
      cl::desc("Compile in child processes: a crash of the compiler is an error"));
  cl::opt<bool> listMethods("list-methods", cl::cat(category),
                            cl::desc("Print the program's methods and stop"));
  cl::opt<bool> graphFor("graph-for", cl::cat(category),
                         cl::desc("Print the specialised, fused graph that this call runs and\n"
                                  "stop; with --grad also that of forward and backward"));
  cl::opt<std::string> draw("draw", cl::value_desc("file"), cl::cat(category),
                            cl::desc("Draw the last of these graphs as an SVG image and stop"));
  cl::opt<bool> explain("explain", cl::cat(category),
                        cl::desc("Say what was done to the program and what not, and why"));
  cl::opt<bool> grad(
      "grad", cl::cat(category),
      cl::desc("Differentiate the sum of the floating outputs by every input\nmarked "
               "SPEC:grad and every parameter; the gradients go to\nPREFIX.gradN.npy "
               "and PREFIX.grad.NAME.npy"));
  cl::opt<unsigned> train(
      "train", cl::init(0), cl::value_desc("n"), cl::cat(category),
      cl::desc("Train N steps on the inputs: the method returns the loss. The\nlosses go to "
               "PREFIX.loss.npy, what was trained to\nPREFIX.param.NAME.npy"));
  OptimizerOptions trained;
  cl::opt<std::string> optimizer("optimizer", cl::init(trained.name), cl::value_desc("name"),
                                 cl::cat(category), cl::desc("sgd, adam or adamw (sgd)"));
  auto number = [&](llvm::StringRef name, double &value, const char *what) {
    return std::make_unique<cl::opt<double, true>>(name, cl::location(value), cl::init(value),
                                                   cl::value_desc("x"), cl::cat(category),
                                                   cl::desc(what));
  };
  auto lr = number("lr", trained.lr, "Learning rate (0.001)");
  auto decay = number("weight-decay", trained.weightDecay, "Weight decay (0)");
  auto momentum = number("momentum", trained.momentum, "Momentum of sgd (0)");
  auto dampening = number("dampening", trained.dampening, "Dampening of sgd's momentum (0)");
  auto beta1 = number("beta1", trained.beta1, "Decay of adam's first average (0.9)");
  auto beta2 = number("beta2", trained.beta2, "Decay of adam's second average (0.999)");
  auto eps = number("eps", trained.eps, "Added to adam's denominator (1e-8)");
  cl::opt<bool, true> nesterov("nesterov", cl::location(trained.nesterov), cl::cat(category),
                               cl::desc("Nesterov momentum for sgd"));
  cl::SetVersionPrinter(printVersion);
  cl::ParseCommandLineOptions(argc, argv,
                              "Runs a PyTorch program without PyTorch\n\n"
                              "  jit-run model.pt --input='f32[1,3,224,224]'\n\n"
                              "Exit code: 0 done, 1 bad input or a Python exception, 2 our bug.\n");
  CommandLine line{{},   file, method, repeatOver, output, draw, {inputs.begin(), inputs.end()},
                   tune, {}};
  for (char *word : llvm::ArrayRef(argv, argc))
    line.words += (line.words.empty() ? "" : " ") + std::string(word);
  line.session.target = target;
  line.session.chip = chip;
  line.session.gpuNcLoads = ncLoads;
  line.session.gpuTf32 = tf32;
  line.session.gpuLibraries = libraries;
  line.session.threads = threads;
  line.session.sizes = anySizes ? SizePolicy::Symbolic : SizePolicy::Automatic;
  line.session.dumpDir = dumpIr;
  line.session.numerics = numerics;
  // Who measures calls wants one code.
  line.session.tier = time && tier.getNumOccurrences() == 0 ? Tier::Optimised : tier;
  line.session.verifyStages = verifyStages;
  line.session.bundle = bundle;
  line.session.isolate = isolate;
  line.session.time = timeReport;
  line.session.tiles = tiles;
  line.session.cache = cache;
  line.session.operators = {operators.begin(), operators.end()};
  line.session.tunes = !tune.empty();
  line.timedRuns = time;
  line.seed = seed;
  line.listMethods = listMethods;
  line.graphFor = graphFor;
  // Either says what goes on.
  if (explain)
    line.session.explain = [](const std::string &text) { llvm::errs() << text << '\n'; };
  else
    line.session.progress = progressOnTerminal();
  line.gradients = grad;
  line.trainingSteps = train;
  if (train) {
    trained.name = optimizer;
    trained.method = method;
    line.session.optimizer = trained;
  }
  return line;
}

} // namespace jit
