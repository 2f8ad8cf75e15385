//===- SessionImpl.h - the inside of a session ------------------*- C++ -*-===//
#ifndef JIT_LIB_SESSION_SESSIONIMPL_H
#define JIT_LIB_SESSION_SESSIONIMPL_H

#include "CallHistory.h"
#include "Diagnostics.h"
#include "LaterWork.h"
#include "Method.h"
#include "ProductTuner.h"
#include "Variant.h"
#include "VariantStore.h"
#include "jit/Dialect/Aten/CustomOperators.h"
#include "jit/OutOfMemory.h"
#include "jit/Pipeline/Pipeline.h"
#include "jit/Runtime/BufferPool.h"
#include "jit/Runtime/ThreadPool.h"
#include "jit/Runtime/VariantCache.h"
#include "jit/Session/ChildProcess.h"
#include "jit/Session/Session.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/ScopeExit.h"

namespace jit {

/// What calls with one key run.
struct Choice {
  explicit Choice(std::shared_ptr<Variant> variant, bool isShared = false)
      : variant(std::move(variant)), isShared(isShared) {}

  std::shared_ptr<Variant> variant;
  bool isShared;                   // with calls of other sizes
  std::atomic<uint32_t> calls = 0; // counted where it is shared
};

class Session::Impl {
public:
  Impl(const SessionOptions &options, int device, std::shared_ptr<const CustomOperators> operators);

  Result<void> open(const std::string &path);
  Result<GradientResult> call(const std::string &name, std::span<runtime::Value> args,
                              GradientMode mode);
  Result<void> prepare(const std::string &name, std::span<const runtime::Value> args);
  Result<ForwardResult> forward(const std::string &name, std::span<runtime::Value> args);
  /// What `show` makes of the graph that such a call runs.
  Result<std::string>
  graphFor(const std::string &name, std::span<const runtime::Value> args, bool differentiate,
           llvm::function_ref<Result<std::string>(mlir::func::FuncOp graph)> show);

  /// The same of what the last call ran.
  Result<std::string>
  graphOfLast(llvm::function_ref<Result<std::string>(mlir::func::FuncOp graph)> show);

  /// First: the memory of what the others hold may come back when they end.
  runtime::BufferPool::User usesPool{runtime::BufferPool::process()};
  SessionOptions options;
  /// The number of the CUDA device that code runs on.
  int device = 0;
  std::vector<std::unique_ptr<Method>> methods;
  std::unique_ptr<ModuleState> state;
  runtime::ThreadPool pool;
  ProductTuner tuner;
  std::shared_ptr<const CustomOperators> operators; // the user's own
  // Their code runs on the pool.
  runtime::VariantCache<Choice> variants; // by each size
  runtime::VariantCache<Variant>
      shared; // for several sizes; without code where that could not be compiled
  std::atomic<uint64_t> made = 0;   // variants compiled, or found in the disk's cache
  std::atomic<uint64_t> loaded = 0; // those that were found
  std::atomic<uint64_t> served = 0; // keys that one for any sizes serves
  /// Variants whose optimised code runs by now, and those where making it gave an error.
  std::atomic<uint64_t> optimised = 0, stayed = 0;

  Result<Method *> findMethod(const std::string &name);
  /// The same for a call: of overloads, which PyTorch saves as forward__0, forward__1 and so on,
  /// the first that takes its arguments.
  Result<Method *> findMethod(const std::string &name, std::span<const runtime::Value> args);
  /// Imports the program where that was found in the disk's cache, so that it can be compiled.
  Result<void> importAgain();
  /// The function of a method, before any call is known. After importAgain().
  mlir::func::FuncOp functionOf(const std::string &name) {
    return program->lookupSymbol<mlir::func::FuncOp>(name);
  }
  /// What `body` makes with the compiler, whose lock is held. Memory that is exhausted within MLIR
  /// or LLVM leaves their data half changed: from then on the session compiles nothing any more.
  template <typename Body> auto compiling(const Body &body) -> decltype(body()) {
    if (isSpent)
      return Error{
          ErrorCode::LimitExceeded,
          "expected a session that has not run out of memory while compiling, got one that "
          "has; open the program again"};
    use.emplace();
    llvm::scope_exit end([&] { use.reset(); });
    isSpent = true;
    auto made = orOutOfMemory([&] {
      auto made = body();
      isSpent = false;
      return made;
    });
    return made;
  }
  /// What compilations share: hold it while touching MLIR.
  std::unique_lock<std::mutex> lockCompiler() { return std::unique_lock(compilerMutex); }
  /// The program specialised for a call, up to what is lowered, or to the stage named `last`; and
  /// that lowered.
  Result<mlir::OwningOpRef<mlir::ModuleOp>>
  compileGraph(const PipelineOptions &what, const std::string &dumpName, llvm::StringRef last = "");
  Result<void> lower(mlir::ModuleOp module, const PipelineOptions &what,
                     const std::string &dumpName);
  bool isIsolated() const { return exchange != nullptr; }
  /// `body`, which leaves nothing but files, in a child process; within compiling().
  Result<void> apart(const std::string &what, llvm::function_ref<Result<void>()> body);
  /// Unsupported for a graph with a user's own operators, unless the target is a CPU.
  static Result<void> checkOperators(mlir::ModuleOp graph, const std::string &target);
  PipelineOptions pipelineFor(const Method &method, const CallSpec &spec, GradientMode mode) const;
  mlir::MLIRContext &mlirContext() { return context; }
  std::string timeReport();

private:
  friend class Phase;
  Result<std::string>
  graphOf(const PipelineOptions &what,
          llvm::function_ref<Result<std::string>(mlir::func::FuncOp graph)> show);
  /// Remembers what the last call runs.
  void note(const std::shared_ptr<Variant> &variant);
  Result<std::shared_ptr<Choice>> choiceFor(Method &method, std::span<const runtime::Value> args,
                                            CallKind kind);
  /// The variant that such a call shares with calls of other sizes; null where it is to have its
  /// own. `own`: the key by the call's sizes.
  Result<std::shared_ptr<Variant>> sharedVariantFor(Method &method,
                                                    std::span<const runtime::Value> args,
                                                    CallKind kind, const runtime::CallKey &own);
  /// The same for open parts as `kind` has them.
  Result<std::shared_ptr<Variant>> findShared(Method &method, std::span<const runtime::Value> args,
                                              CallKind kind, const runtime::CallKey &own);
  /// What of such calls has had several values, the call of this key included; then less of it, for
  /// programs that cannot be compiled so.
  std::vector<runtime::OpenParts> openParts(const Method &method, GradientMode mode,
                                            const runtime::CallKey &key);
  /// Has a call's variant for its sizes alone compiled beside calls, which use it once its code is
  /// optimised.
  Result<void> compileBeside(Method &method, std::span<const runtime::Value> args, CallKind kind);
  void useExact(const PipelineOptions &what, const runtime::CallKey &key,
                std::shared_ptr<Variant> variant);
  /// What the key of a call asks for.
  Result<std::shared_ptr<Variant>> compile(const Method &method, const runtime::CallKey &key,
                                           GradientMode mode);
  Result<std::shared_ptr<Variant>> compile(const PipelineOptions &what);
  /// A variant that has nothing but the backward function of a split one, without what the
  /// gradients of these results would add: for what a result of infinite derivative that nobody
  /// asks of would make NaN. Null where all are given, or that cannot be compiled: zeros serve.
  std::shared_ptr<Variant> backwardWithout(Variant &variant, const std::vector<int64_t> &absent);
  /// `beside`: the key whose calls are to run the variant once its code is optimised; null where
  /// one waits for it now.
  using Beside = std::shared_ptr<const runtime::CallKey>;
  Result<std::shared_ptr<Variant>> compileLocked(const PipelineOptions &what,
                                                 const Beside &beside = nullptr);
  /// Compiles in this process; the result is kept in `into`, which may be null.
  Result<std::shared_ptr<Variant>> compileHere(const PipelineOptions &what, VariantStore *into,
                                               const Beside &beside = nullptr);
  /// Gives a variant its code, that of `kept`; has what is a baseline's of it optimised beside
  /// calls, unless nobody asked for that, and used by the calls of `beside`.
  Result<void> finish(const PipelineOptions &what, std::shared_ptr<runtime::Artifact> artifact,
                      KeptVariant kept, const std::shared_ptr<Variant> &variant,
                      const Beside &beside);
  /// Has the code of a variant optimised, and kept where there is a store, beside calls; `then` is
  /// done if that succeeds.
  void optimiseLater(const PipelineOptions &what, std::unique_ptr<codegen::OptimiseLater> code,
                     KeptVariant kept, std::function<void()> then);
  /// Compiles in a child process.
  Result<std::shared_ptr<Variant>> compileApart(const PipelineOptions &what);

  /// Where remarks go, if anybody is to hear of them.
  void listen();
  void explainAgain(const ExplainedLines &lines);
  /// Imports the file and runs the program's stages; gives what calls need to know.
  Result<mlir::OwningOpRef<mlir::ModuleOp>> import();
  /// The same, from the disk's cache where it is there.
  Result<mlir::OwningOpRef<mlir::ModuleOp>> findOrImport();
  std::optional<KeptProgram> findProgram(const VariantStore &store);
  /// The same by a child process.
  Result<mlir::OwningOpRef<mlir::ModuleOp>> importApart();

  codegen::CodegenOptions codegenOptions();
  /// A variant still without code, by what its specialised entries say of themselves.
  Result<std::shared_ptr<Variant>> describe(const PipelineOptions &what,
                                            mlir::ModuleOp specialised);
  Result<void> addCode(const PipelineOptions &what,
                       std::shared_ptr<const runtime::Artifact> artifact, Variant &variant);
  /// The variant that another process has compiled, or null.
  std::shared_ptr<Variant> findKept(const PipelineOptions &what, const VariantStore &store,
                                    const Beside &beside = nullptr);
  void dump(const std::string &folder, int index, llvm::StringRef stage, mlir::ModuleOp module);

  llvm::LogicalResult run(const Stage &stage, mlir::ModuleOp module, const PipelineOptions &what);

  std::string times; // what `timing` prints
  llvm::raw_string_ostream timesStream{times};
  mlir::DefaultTimingManager timing;

  /// Held by whoever touches MLIR: the context, and the program in it, are for one thread.
  std::mutex compilerMutex;
  bool isSpent = false;
  std::optional<CompilerUse> use; // of the thread that holds it
  mlir::MLIRContext context;
  ProgramFile file;
  std::unique_ptr<VariantStore> store;       // null: every process compiles for itself
  std::unique_ptr<VariantStore> exchange;    // with child processes; null: none are made
  mlir::OwningOpRef<mlir::ModuleOp> program; // null: importAgain() makes it
  ExplainedLines explained;                  // of the compilation that goes on
  bool isRepeating = false;                  // what was said before
  std::mutex historyMutex;
  std::map<std::pair<const Method *, GradientMode>, CallHistory> history;
  std::mutex lastMutex;
  std::shared_ptr<Variant> last; // held, so that no other one is in its place
  std::atomic<const Variant *> lastSeen = nullptr;
  LaterWork later; // ends before what it works on
};

/// What `body` gives, as orOutOfMemory has it; where memory is exhausted while results that nobody
/// holds are kept, again without these. Calls that fail have changed nothing.
template <typename Body> auto withAllMemory(const Body &body) -> decltype(body()) {
  auto made = orOutOfMemory(body);
  bool isExhausted = !made && made.error().code == ErrorCode::LimitExceeded;
  return isExhausted && runtime::BufferPool::process().trim() > 0 ? orOutOfMemory(body)
                                                                  : std::move(made);
}

/// Says at the end of a compilation that it is over.
class Compilation {
public:
  explicit Compilation(const SessionOptions &options) : options(options) {}
  Compilation(const Compilation &) = delete;
  Compilation &operator=(const Compilation &) = delete;
  ~Compilation() {
    if (options.progress)
      options.progress("");
  }

private:
  const SessionOptions &options;
};

/// A part of a compilation: told as progress, and timed. With the compiler's lock held.
class Phase {
public:
  Phase(Session::Impl &session, const std::string &what, llvm::StringRef name);
  /// Null where nobody asks for times.
  mlir::TimingScope *timing() { return session.options.time ? &scope : nullptr; }

private:
  Session::Impl &session;
  mlir::TimingScope root, scope;
};

} // namespace jit

#endif // JIT_LIB_SESSION_SESSIONIMPL_H
