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

  /// A variant, and the number of the kind that each slot has after it; -1: as before.
  struct Made {
    package::Variant variant;
    std::vector<int32_t> after;
  };
  struct Call {
    const PackagedCall *asked;
    Method *method;
    size_t entry;                          // in package.methods
    std::vector<ValueSpec> arguments = {}; // as the package compares them
    CallSpec spec = {};                    // defaults included
    bool hasOpenStrides = false;           // those that it was asked for count for nothing so far
    bool sharesMemory = false;
    std::map<std::vector<int32_t>, Made> made = {};
  };
  using Graph = mlir::OwningOpRef<mlir::ModuleOp>;
  /// What is known of flat results when a call is compiled: ints and bools that are constants.
  using Constants = std::vector<std::optional<ValueSpec>>;

  /// False where a slot had to be opened, or a call's strides matter: start again.
  Result<bool> buildFor(const codegen::Machine &machine);
  Result<void> prepareCalls();
  Result<Call> prepare(const PackagedCall &asked);
  Result<void> addArguments(Call &call, std::vector<ValueSpec> given);
  size_t entryFor(const PackagedCall &asked, const Method &method);
  /// False as above.
  Result<bool> explore();
  Result<bool> make(Call &call, const std::vector<int32_t> &state);
  Error tooManyStates(const std::vector<int32_t> &state) const;
  /// An error of a call's compilation, with what it has to do with open sizes.
  Error explained(const Call &call, Error error) const;
  CallSpec specOf(const Call &call, const std::vector<int32_t> &state) const;
  Result<package::CompiledEntry> compile(mlir::ModuleOp module, const std::string &symbol);
  Result<bool> describe(Made &made, const Call &call, const std::vector<int32_t> &state,
                        const Variant &signature, const package::CompiledEntry &compiled,
                        const Constants &constants);
  Result<void> describeOperands(package::Variant &variant, const std::vector<int32_t> &state,
                                const Variant &signature, const package::CompiledEntry &compiled);
  Result<bool> describeState(Made &made, const Output &output,
                             const package::CompiledEntry &compiled, const Constants &constants);
  Result<void> describeMutation(Made &made, const Call &call, const Output &output);
  package::Site cell(int32_t slot, int32_t offset) const;
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

/// The C header of a package: a doc comment and an inline function for each method.
std::string packageHeader(const package::Package &package, Session::Impl &session);

} // namespace jit

#endif // JIT_LIB_SESSION_PACKAGEBUILDER_H
