//===- LaunchLog.cpp - what kernels do, as lines of JSON ------------------===//
#include "LaunchLog.h"

#include <cstdlib>
#include <ostream>

using namespace fake;

LaunchLog *LaunchLog::get() {
  static LaunchLog *const log = [] {
    constexpr uint32_t usualBlocks = 5;
    const char *file = std::getenv("JIT_FAKE_CUDA_COUNT");
    const char *blocks = std::getenv("JIT_FAKE_CUDA_BLOCKS");
    uint64_t count = blocks ? std::strtoull(blocks, nullptr, 10) : usualBlocks;
    return file ? new LaunchLog(file, static_cast<uint32_t>(count)) : nullptr;
  }();
  return log;
}

static void write(std::ostream &out, const char *name, const ptx::Traffic &traffic) {
  if (traffic.requests)
    out << ", \"" << name << "\": {\"requests\": " << traffic.requests
        << ", \"transactions\": " << traffic.transactions << ", \"least\": " << traffic.least
        << ", \"bytes\": " << traffic.bytes << '}';
}

static void write(std::ostream &out, const ptx::InstructionCounts &counts) {
  out << "{\"line\": " << counts.instruction->line << ", \"opcode\": \""
      << counts.instruction->opcode << "\", \"issues\": " << counts.issues
      << ", \"lanes\": " << counts.lanes;
  write(out, "loads", counts.loads);
  write(out, "stores", counts.stores);
  write(out, "shared", counts.shared);
  out << '}';
}

static void write(std::ostream &out, const ptx::Footprint &range) {
  out << "{\"extent\": " << range.high - range.low
      << ", \"written\": " << (range.isWritten ? "true" : "false") << ", \"bytes\": " << range.bytes
      << ", \"sectors\": " << range.sectors << ", \"bytes_of_blocks\": " << range.bytesOfBlocks
      << ", \"sectors_of_blocks\": " << range.sectorsOfBlocks << '}';
}

static void write(std::ostream &out, uint64_t number) { out << number; }

template <typename T> static void writeList(std::ostream &out, const char *name, const T &list) {
  out << ", \"" << name << "\": [";
  const char *between = "";
  for (auto &one : list) {
    out << between;
    write(out, one);
    between = ", ";
  }
  out << ']';
}

void LaunchLog::begin(const Launched &launched, size_t number) {
  auto &[owner, function, launch] = launched;
  out << "{\"number\": " << number << ", \"kernel\": \"" << function.name
      << "\", \"image\": " << owner.image << ", \"target\": \"" << owner.module->target << '"';
  writeList(out, "grid", launch.grid);
  writeList(out, "block", launch.block);
  out << ", \"static_shared\": " << owner.module->sharedBytes
      << ", \"dynamic_shared\": " << launch.dynamicShared;
}

void LaunchLog::end(const ptx::Counter &counter) {
  out << ", \"blocks\": " << counter.blocks() << ", \"longest_warps\": " << counter.longestWarps();
  writeList(out, "instructions", counter.instructions());
  writeList(out, "footprints", counter.footprints());
  out << "}" << std::endl;
}

/// Of a single block, which may compute what the host reads, to check an index or to go on with a
/// loop.
static bool isSingle(const ptx::Launch &launch) {
  return launch.grid == std::array<uint32_t, 3>{1, 1, 1};
}

std::string LaunchLog::count(ptx::Machine &machine, const Launched &launched, size_t number) {
  auto &[owner, function, launch] = launched;
  ptx::Counter counter(isSingle(launch) ? 1 : blocks);
  std::string error = machine.count(*owner.module, function, launch, counter);
  begin(launched, number);
  end(counter);
  return error;
}

std::string LaunchLog::countPhases(ptx::Machine &machine, const Launched &launched, size_t number) {
  auto &[owner, function, launch] = launched;
  ptx::Phases phases;
  std::string error = machine.count(*owner.module, function, launch, phases);
  size_t which = 0;
  for (const ptx::Phase &phase : phases.all()) {
    begin(launched, number);
    out << ", \"phase\": " << which++ << ", \"times\": " << phase.times;
    out << ", \"longest_warp\": " << phase.counter.longestWarp();
    writeList(out, "issues_of_blocks", phase.counter.issuesOfBlocks(launch.blocks()));
    end(phase.counter);
  }
  return error;
}

std::string LaunchLog::add(ptx::Machine &machine, const LoadedModule &owner,
                           const ptx::Function &function, const ptx::Launch &launch) {
  auto [found, isNew] = known.try_emplace({&function, launch.grid, launch.block}, known.size());
  Launched launched(owner, function, launch);
  if (isNew)
    return launch.isCooperative ? countPhases(machine, launched, found->second)
                                : count(machine, launched, found->second);
  out << "{\"again\": " << found->second << "}" << std::endl;
  ptx::Counter unused(1);
  return isSingle(launch) ? machine.count(*owner.module, function, launch, unused) : std::string();
}
