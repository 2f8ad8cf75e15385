//===- PackageBuilder.h - every variant that calls can reach ----*- C++ -*-===//
#ifndef JIT_LIB_SESSION_PACKAGEBUILDER_H
#define JIT_LIB_SESSION_PACKAGEBUILDER_H

#include "SessionImpl.h"
#include "SlotKinds.h"

namespace jit {

/// Compiles calls for every kind of state that some order of them leads to.
class PackageBuilder {
public:
  /// `name` is the package's, an identifier.
  PackageBuilder(Session::Impl &session, const PackageOptions &options, std::string name);

  /// The compiler's lock is the caller's.
  Result<void> build();

  const std::string name;
  /// One for each CPU. The last one's blobs are those of all.
  std::vector<package::Package> packages;
  std::unique_ptr<package::Code> code;

private:
  Result<void> checkTarget();
  /// The CPUs that `options` name.
  Result<void> findMachines();
  Result<void> findChips();

  struct Call {
    const PackagedCall *asked;
    Method *method;
    size_t entry;                          // in package.methods
    std::vector<ValueSpec> arguments = {}; // as the package compares them
    CallSpec spec = {};                    // defaults included
    bool hasOpenStrides = false;           // those that it was asked for count for nothing so far
    bool sharesMemory = false;
    std::map<std::vector<int32_t>, package::Variant> made = {}; // by the state that it needs
    std::optional<Error> refused = {};                          // why it was, where it was first
  };
  using Graph = mlir::OwningOpRef<mlir::ModuleOp>;
  /// What is known of a flat result when a call is compiled: an int or bool that is a constant, and
  /// the first result that it is one with.
  struct Known {
    std::optional<ValueSpec> constant;
    int32_t first;
  };
  /// One of the values that data choose among, and when it is that.
  struct Choice {
    OutputTree value;
    std::vector<jit_test> tests;
  };

  /// False where a slot had to be opened, or a call's strides matter: start again.
  Result<bool> buildFor(const codegen::Machine &machine);
  Result<void> prepareCalls();
  Result<Call> prepare(const PackagedCall &asked);
  Result<void> addArguments(Call &call, std::vector<ValueSpec> given);
  size_t entryFor(const PackagedCall &asked, const Method &method);
  /// False as above.
  Result<bool> explore();
  Result<bool> make(Call &call, const std::vector<int32_t> &state);
  /// What a call needs of the state.
  std::vector<int32_t> ownOf(const Call &call, const std::vector<int32_t> &state) const;
  /// Calls in this state end with an error.
  void refuse(Call &call, const std::vector<int32_t> &state, Error error);
  Result<bool> checkServed();
  std::vector<jit_slot_kind> needsOf(const Call &call, const std::vector<int32_t> &state) const;
  void describeRefusals(llvm::raw_ostream &os, const Call &call) const;
  Error tooManyStates(const std::vector<int32_t> &state) const;
  /// An error of a call's compilation, with what it has to do with open sizes.
  Error explained(const Call &call, Error error) const;
  CallSpec specOf(const Call &call, const std::vector<int32_t> &state) const;
  Result<package::CompiledEntry> compile(mlir::ModuleOp module, const std::string &symbol);
  Result<bool> describe(package::Variant &variant, const Call &call,
                        const std::vector<int32_t> &state, const Variant &signature,
                        const package::CompiledEntry &compiled, llvm::ArrayRef<Known> known);
  Result<void> describeOperands(package::Variant &variant, const std::vector<int32_t> &state,
                                const Variant &signature, const package::CompiledEntry &compiled);
  static std::vector<Choice> choicesOf(const OutputTree &tree, llvm::ArrayRef<Known> known);
  static std::optional<ValueSpec> resultSpec(const OutputTree &tree,
                                             const package::CompiledEntry &compiled,
                                             llvm::ArrayRef<Known> known, bool isOpen);
  /// False as above.
  Result<bool> describeState(package::Variant &variant, const Output &output,
                             const package::CompiledEntry &compiled, llvm::ArrayRef<Known> known);
  Result<bool> describeChoice(package::Variant &variant, const Output &output, const Choice &choice,
                              const package::CompiledEntry &compiled, llvm::ArrayRef<Known> known);
  Result<void> describeChange(package::Variant &variant, const Output &output,
                              const package::CompiledEntry &compiled, llvm::ArrayRef<Known> known);
  Result<void> describeMutation(package::Variant &variant, const Call &call, const Output &output);
  package::Site cell(int32_t slot, int32_t offset) const;
  Error refuseOpenState(int32_t slot, int32_t kind) const;
  void finish();

  Session::Impl &session;
  const PackageOptions &options;
  const package::PackageTarget *target = nullptr;
  std::vector<codegen::Machine> machines;
  /// NVIDIA's names of GPUs; for a CPU one empty name.
  std::vector<std::string> chips;
  package::Package package; // in the making
  std::vector<Call> calls;
  std::set<unsigned> opened;
  std::set<const PackagedCall *> strided; // for whose own strides there has to be code
  std::optional<SlotKinds> slots;
  size_t made = 0;
};

/// Of what an entry takes or gives: a tensor, or any number.
ValueSpec typeSpec(const runtime::ValueType &type);

/// Where a result goes beside what the call returns: there, if it is returned by no one.
void send(package::Variant &variant, int64_t leaf, package::Site to);

/// Whether a size of some tensor in it is not known.
bool hasOpenSize(const ValueSpec &pattern);

/// The states that a call of `variant` may lead to, by what data choose.
Result<std::set<std::vector<int32_t>>> statesAfter(const package::Variant &variant,
                                                   const std::vector<int32_t> &state);

/// The C header of a package: a doc comment and an inline function for each method.
std::string packageHeader(const package::Package &package, Session::Impl &session);

} // namespace jit

#endif // JIT_LIB_SESSION_PACKAGEBUILDER_H
