//===- Session.h - open a program, call its methods -------------*- C++ -*-===//
//
// What embedders include. A session holds one imported program with the state of its modules, and
// compiles a variant of a method for each kind of call that it meets.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_SESSION_SESSION_H
#define JIT_SESSION_SESSION_H

#include "jit/GpuLibraries.h"
#include "jit/Numerics.h"
#include "jit/Optimizer.h"
#include "jit/Runtime/CacheStatistics.h"
#include "jit/Runtime/CallKey.h"
#include "jit/Runtime/CallerStream.h"
#include "jit/Tier.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace jit {

struct SessionOptions {
  /// Every call of the optimizer's method is a training step: the program is put in training mode,
  /// and the call updates parameters and the optimizer's state, all of them module state.
  std::optional<OptimizerOptions> optimizer = {};
  /// "cpu"; a name from Codegen's list of targets; "cuda:1" for the CUDA device of that number.
  std::string target = "cpu";
  /// For target "cuda": NVIDIA's name of the GPU, e.g. "sm_90"; empty: that of the device. And
  /// the loads that go through the read-only cache: of operands that are "broadcast", "all" or
  /// "none".
  std::string chip = {};
  std::string gpuNcLoads = "broadcast";
  /// Whether its products of f32 may round their factors to 10 bits (tf32).
  bool gpuTf32 = false;
  /// Whose products plain ones are.
  GpuLibraries gpuLibraries = GpuLibraries::Off;
  /// Whether code may round worse where it is faster for it.
  Numerics numerics = Numerics::Fast;
  /// For target "cpu": how much is done for code. Packages are always optimised. With Both a thread
  /// of the session's optimises what calls run meanwhile; closing the session ends it. The disk's
  /// cache has either kind, and for Optimised the optimised alone.
  Tier tier = Tier::Both;
  /// Threads that parallel loops use, the caller's included; 0: one for each CPU that the
  /// process may use.
  unsigned threads = 0;
  /// A folder that gets one file per stage for each variant compiled; empty: none.
  std::string dumpDir = {};
  /// Checks each stage's exit contract and the IR after every pass.
  bool verifyStages = false;
  /// For target "cpu": the file that a compilation that fails or crashes is written to, with its
  /// passes, for `jit-opt --run-reproducer`; a crash in a pass is then an error. Empty: none.
  std::string bundle = {};
  /// Gets a line for everything that the compiler did to the program or left undone, and why, with
  /// its place in the user's Python. Called while a call compiles, and by the thread that
  /// compiles and optimises beside calls (Tier::Both, SizePolicy::Automatic).
  std::function<void(const std::string &)> explain = {};
  /// For target "cpu": imports and compiles in child processes, of which what they have made is
  /// left. A crash of the compiler's is an error then, and the session can be used on. Does without
  /// `time` and `tunes`, and `explain` hears of a compilation when it is over.
  bool isolate = false;
  /// Measures how long stages, passes and machine code take: Session::timeReport.
  bool time = false;
  /// Told what is compiled at the moment: "forward: fuse"; and "" once a compilation is over.
  /// Called by the thread that compiles.
  std::function<void(const std::string &)> progress = {};
  /// Static: each combination of sizes has a variant of its own, the fastest code. Symbolic: calls
  /// that differ in sizes other than 0 and 1 share one. Automatic: so do calls that differ in
  /// dimensions that have had several sizes; those of sizes that come often get a variant of their
  /// own, which a thread compiles beside calls. Where a program cannot be compiled so, as Static.
  runtime::SizePolicy sizes = runtime::SizePolicy::Automatic;
  /// For target "cpu": a table of tiles to compile by, which Session::tune has written on a machine
  /// with the CPU to compile for; empty: none.
  std::string tiles = {};
  /// Keeps the products of what is compiled, for Session::tune.
  bool tunes = false;
  /// Variants kept; the one unused for longest goes first. With SizePolicy::Static, once there are
  /// as many, further sizes are served as with SizePolicy::Symbolic.
  size_t maxVariants = 64;
  /// Where what is compiled for target "cpu" is kept for later processes, and looked for: a folder;
  /// "": the user's own (jit/Session/DiskCache.h); "off": nowhere. Not used with `dumpDir`,
  /// `verifyStages`, `bundle` and `tunes`, which are for who wants to see a compilation.
  std::string cache = "off";
  /// For target "cpu": files of operators (jit-c/Operators.h), whose operators programs may use.
  std::vector<std::string> operators = {};
};

/// One method of the program and its arguments, for listing and for messages.
struct MethodInfo {
  std::string name;
  std::vector<std::string> arguments; ///< "x: Tensor", "sr: int", "state: Tensor = default"
  /// Which arguments and results are objects, NamedTuples and members of Enums: JSON, as
  /// docs/call-spec.md has it; empty where none are.
  std::string layout = {};
};

/// The gradient with respect to one input: an argument by its number ("1", "1.0" for an element of
/// it), a parameter by its state_dict path.
struct NamedGradient {
  std::string name;
  runtime::Tensor value;
};

/// The number of an argument, then those of an element of it, of an element of that...
using ArgumentPath = std::vector<int64_t>;

/// A tensor among the arguments that a call wrote in place, and what it is now.
struct WrittenArgument {
  ArgumentPath path;
  runtime::Tensor value;
};

/// The memory of a tensor among the arguments where a call wrote between its elements, too
/// (`x[::2].as_strided((3,), (1,))`), and what is in it now: flat, from its first element on that
/// an argument of the call shows. The tensor's first element is at `offset`.
struct WrittenMemory {
  ArgumentPath path;
  runtime::Tensor value;
  int64_t offset;
};

/// A tensor among the arguments whose sizes a call changed in place (`x.t_()`): what it is now, in
/// the memory that it had. Strides and `offset`, from its first element, in elements.
struct ReshapedArgument {
  ArgumentPath path;
  std::vector<int64_t> sizes, strides;
  int64_t offset;
  /// Its elements, where that memory has no room for them.
  std::optional<runtime::Tensor> outgrown = {};
};

/// What a call did to its arguments.
struct ChangedArguments {
  std::vector<WrittenArgument> written = {};
  std::vector<WrittenMemory> memories = {};
  /// After what was written.
  std::vector<ReshapedArgument> reshaped = {};
};

/// What a call gives together with the gradients of the sum of its floating outputs.
struct GradientResult {
  runtime::Value value;
  std::vector<NamedGradient> gradients;
  ChangedArguments changed = {};
};

/// What a forward pass gives, and its backward pass.
struct ForwardResult {
  runtime::Value value;
  /// Gives the gradients with respect to the arguments marked `requiresGrad`. `seeds` are the
  /// gradients of the value's tensors and numbers, flat, in order, the keys of dicts aside; None
  /// where nothing is computed of one, which is left out then: code for that is compiled at the
  /// first such call. Holds what was kept of the forward pass, and may be called by any thread,
  /// again too, while the session lives.
  std::function<Result<std::vector<NamedGradient>>(std::span<const runtime::Value> seeds)> backward;
  ChangedArguments changed = {};
};

/// One kind of call that a package is compiled for: what is known of its arguments, in the grammar
/// of docs/call-spec.md, e.g. "f32[1,512],16000".
struct PackagedCall {
  std::string method = "forward";
  std::string arguments = {};
  /// The gradients are further results; the method is called NAME.grad then.
  bool gradients = false;

  /// "forward(f32[1,512], 16000)", or with gradients "forward.grad(f32[1,512]:grad, 16000)".
  static Result<PackagedCall> parse(const std::string &text);
  /// What a call with such arguments says: their strides and the memory that they share included,
  /// floats any, other numbers as they are.
  static Result<PackagedCall> of(std::string method, std::vector<runtime::Value> arguments);
  /// As parse() reads it.
  std::string str() const;
};

struct PackageOptions {
  std::vector<PackagedCall> calls;
  /// The file to write: a shared object, or by its ending an object (.o) or a static library (.a).
  /// Its C header is written beside it.
  std::string output;
  /// An identifier of C, which the package's functions begin with; empty: from `output`.
  std::string name = {};
  /// Where the weights go and are mapped from; empty: they are inside.
  std::string weightsFile = {};
  /// LLVM's names of CPUs, e.g. "x86-64-v3", or "native" for this machine's; several, with commas
  /// between, each get code of their own, and opening takes the one that asks most of the CPU.
  std::string cpu = "native";
  /// "cpu", or "cuda": kernels of an NVIDIA GPU, whose driver is looked for at the first call.
  std::string target = "cpu";
  /// NVIDIA's name of the GPU, "sm_90"; empty: this machine's, or one that later ones take too.
  /// Several, with commas between, each get code of their own, and the first call takes the first
  /// that its device runs. Code for "sm_90a" runs on that kind alone; an empty name that is it
  /// stands for "sm_90a,sm_90".
  std::string chip = {};
  /// Failed guards tell their place in the user's Python.
  bool keepPlaces = false;
  /// Is told of calls that the package ends with an error in a state that others lead to.
  std::function<void(const std::string &)> warn = {};
};

/// The schema of each operator that programs may use, as PyTorch writes it, sorted.
std::vector<std::string> supportedOperators();
/// The schemas of the operators in files of a user's own (SessionOptions::operators), or what is
/// wrong with the files.
Result<std::vector<std::string>> operatorsIn(const std::vector<std::string> &files);

/// Any number of threads may use a session, each with arguments of its own.
/// - Calls run beside each other. A call of a new kind is compiled once, whoever asks; compilations
///   take turns, and calls whose variant is there do not wait for them.
/// - A call of a method that writes module state runs alone among those that touch state: it finds
///   what the one before it left, and none sees half of what it writes. While one that has to be
///   compiled holds the state, the others wait for that too.
/// - Methods that do not touch state wait for nobody.
class Session {
public:
  /// Imports \p path, whatever its format, and prepares it for compilation.
  static Result<std::unique_ptr<Session>> open(const std::string &path,
                                               const SessionOptions &options = {});
  ~Session();

  std::vector<MethodInfo> methods() const;
  /// The state_dict paths of the parameters.
  std::vector<std::string> parameters() const;

  /// Calls a method. Missing trailing arguments take their defaults. A tensor that the program
  /// writes, or whose sizes it changes, in place, and a list or dict that it changes, is replaced
  /// in
  /// \p args by its new value; \p changed says what became of the tensors. Ints, bools and strings
  /// are part of the variant, floats are not. Compiles at the first call of its kind.
  Result<runtime::Value> run(const std::string &method, std::span<runtime::Value> args,
                             ChangedArguments *changed = nullptr);

  /// Compiles what such a call runs, and does not run it: only kinds, sizes and values of numbers
  /// count, not what is in the tensors.
  Result<void> prepare(const std::string &method, std::span<const runtime::Value> args);

  /// Calls a method and differentiates the sum of its floating outputs with respect to every
  /// argument marked `requiresGrad` and every parameter. What the outputs do not depend on has a
  /// gradient of zeros.
  Result<GradientResult> runWithGradients(const std::string &method,
                                          std::span<runtime::Value> args);

  /// Calls a method and keeps what a backward pass needs: for callers that differentiate on, as
  /// PyTorch's autograd does. Parameters count as constants.
  Result<ForwardResult> forward(const std::string &method, std::span<runtime::Value> args);

  /// The graph that such a call runs, as IR: specialised and fused, with `jit.group` around the
  /// operators that share one pass. With `differentiate` that of runWithGradients: the forward pass
  /// and behind it the backward pass.
  Result<std::string> graphFor(const std::string &method, std::span<const runtime::Value> args,
                               bool differentiate = false);

  /// The same graph as a picture, an SVG image that stands alone (jit/Draw/Svg.h).
  Result<std::string> drawGraph(const std::string &method, std::span<const runtime::Value> args,
                                bool differentiate = false);
  /// As a picture, what the last call ran, with gradients where it gave some. NotFound before the
  /// first.
  Result<std::string> drawLastGraph();

  /// Compiles calls ahead of time to a file that needs no compiler, and neither Python nor this
  /// library, to run. The module's state starts as the program was saved, and calls may follow in
  /// any order. Unsupported where no end is found of the kinds that its values take on.
  Result<void> save(const PackageOptions &options);

  /// Measures for each product (matrix product, convolution) compiled so far which of the likely
  /// cuts into tiles is the fastest here, and writes those that beat the choice of the compiler's
  /// model to a table, together with what SessionOptions::tiles had. Needs SessionOptions::tunes.
  /// Takes seconds to minutes, in which nothing else should run. Gives a line for each product.
  Result<std::string> tune(const std::string &tablePath);

  /// The module's state by state_dict path: the slots that methods write.
  Result<runtime::Value> state(const std::string &path);
  /// Back to the state that the program was saved with.
  void resetState();

  /// Where compilations so far have spent their time, stage by stage and pass by pass, as text;
  /// empty without SessionOptions::time. Counting starts anew.
  std::string timeReport();

  /// How calls so far have found their variants. `generic` counts specs that were given a variant
  /// for any sizes.
  runtime::CacheStatistics statistics() const;

  class Impl;

private:
  friend struct CallProgram;
  explicit Session(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace jit

#endif // JIT_SESSION_SESSION_H
