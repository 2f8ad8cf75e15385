//===- Machine.cpp - descriptions of CPUs and GPUs by their names ---------===//
#include "jit/Codegen/Machine.h"
#include "Machine/Subtarget.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/TargetSelect.h"

#include <mutex>
#include <optional>

using namespace llvm;

//===----------------------------------------------------------------------===//
// CPUs
//===----------------------------------------------------------------------===//

std::string jit::codegen::Machine::text() const {
  return formatv("{0} {1} {2} {3} {4}", triple, cpu, features, l1Bytes, l2Bytes);
}

void jit::codegen::initializeBackends() {
  static std::once_flag once;
  std::call_once(once, [] {
    InitializeAllTargetInfos();
    InitializeAllTargets();
    InitializeAllTargetMCs();
    InitializeAllAsmPrinters();
    InitializeAllAsmParsers();
  });
}

static std::unique_ptr<MCSubtargetInfo> subtargetOf(const jit::codegen::Machine &machine) {
  jit::codegen::initializeBackends();
  Triple triple(machine.triple);
  std::string error;
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return nullptr;
  // LLVM prints a list of all names where it is given one that it does not know.
  std::unique_ptr<MCSubtargetInfo> plain(target->createMCSubtargetInfo(triple, "", ""));
  if (!plain || !plain->isCPUStringValid(machine.cpu))
    return nullptr;
  return std::unique_ptr<MCSubtargetInfo>(
      target->createMCSubtargetInfo(triple, machine.cpu, machine.features));
}

static void describeVectors(jit::codegen::Machine &machine, const MCSubtargetInfo &subtarget) {
  if (!Triple(machine.triple).isX86()) {
    machine.lanes = 4;
    machine.registers = 32;
    return;
  }
  auto has = [&](StringRef feature) { return subtarget.checkFeatures(("+" + feature).str()); };
  bool wide = has("avx512f");
  machine.lanes = wide ? 16 : has("avx") ? 8 : 4;
  machine.registers = wide ? 32 : 16;
  machine.convertsF16 = wide || has("f16c");
  machine.multipliesPairs = has("avx512bf16");
  machine.multipliesBytes = has(wide ? "avx512vnni" : "avxvnni");
  machine.scalesByPowers = wide;
}

/// KiB of the first-level data cache and the second-level cache of one core, as makers give them.
/// What is not here, generic names among them, has those that `Machine` begins with.
static constexpr struct {
  const char *cpu;
  int64_t l1, l2;
} caches[] = {
    {"haswell", 32, 256},        {"broadwell", 32, 256},       {"skylake", 32, 256},
    {"x86-64-v4", 32, 1024},     {"skylake-avx512", 32, 1024}, {"cascadelake", 32, 1024},
    {"cooperlake", 32, 1024},    {"icelake-server", 48, 1280}, {"sapphirerapids", 48, 2048},
    {"emeraldrapids", 48, 2048}, {"graniterapids", 48, 2048},  {"znver4", 32, 1024},
    {"znver5", 48, 1024},        {"neoverse-n1", 64, 1024},    {"neoverse-v1", 64, 1024},
};

static void describeCaches(jit::codegen::Machine &machine) {
  for (const auto &known : caches)
    if (machine.cpu == known.cpu) {
      machine.l1Bytes = known.l1 * 1024;
      machine.l2Bytes = known.l2 * 1024;
    }
}

bool jit::codegen::describeSubtarget(Machine &machine) {
  std::unique_ptr<MCSubtargetInfo> subtarget = subtargetOf(machine);
  if (!subtarget || (Triple(machine.triple).isX86() && !subtarget->checkFeatures("+64bit")))
    return false;
  describeVectors(machine, *subtarget);
  describeCaches(machine);
  return true;
}

Expected<jit::codegen::Machine> jit::codegen::describeMachine(StringRef cpu, StringRef features) {
  const Triple host(hostMachine().triple);
  for (Triple::ArchType arch : {host.getArch(), Triple::x86_64, Triple::aarch64}) {
    Triple triple = host;
    // Its own spelling of its name stays.
    if (arch != host.getArch())
      triple.setArch(arch);
    Machine machine{.triple = triple.str(), .cpu = cpu.str(), .features = features.str()};
    if (describeSubtarget(machine))
      return machine;
  }
  return createStringError("expected the name of a CPU, such as x86-64-v3, got '" + cpu + "'");
}

//===----------------------------------------------------------------------===//
// GPUs
//===----------------------------------------------------------------------===//

Expected<jit::codegen::GpuMachine> jit::codegen::describeGpu(StringRef chip) {
  static const GpuMachine known[] = {
      {.chip = "sm_80", .features = "+ptx70"},
      {.chip = "sm_86", .features = "+ptx71"},
      {.chip = "sm_89", .features = "+ptx78"},
      {.chip = "sm_90", .features = "+ptx78", .multiprocessors = 132},
      {.chip = "sm_90a",
       .features = "+ptx80",
       .multiprocessors = 132,
       .hasWarpgroupProducts = true}};
  for (const GpuMachine &machine : known)
    if (machine.chip == chip)
      return machine;
  auto names = llvm::map_range(known, [](const GpuMachine &machine) { return machine.chip; });
  return createStringError("expected one of the chips " + join(names, ", ") + ", got '" + chip +
                           "'");
}
