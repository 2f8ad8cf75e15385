//===- Machine.cpp - modules in memory, grids of blocks -------------------===//
#include "Block.h"

#include <algorithm>
#include <cstring>
#include <numeric>

using namespace ptx;

std::unique_ptr<Module> Machine::load(const std::string &text, std::string &error) {
  std::unique_ptr<Module> module = parseModule(text, error);
  if (!module)
    return nullptr;
  for (auto &variable : module->variables) {
    if (variable->space != Space::Global && variable->space != Space::Const)
      continue;
    variable->address = memory.allocate(variable->bytes);
    auto *data = reinterpret_cast<uint8_t *>(variable->address);
    std::memset(data, 0, variable->bytes);
    std::copy(variable->initial.begin(), variable->initial.end(), data);
  }
  return module;
}

void Machine::unload(const Module &module) {
  for (auto &variable : module.variables)
    if (variable->space == Space::Global || variable->space == Space::Const)
      memory.release(variable->address);
}

uint32_t ptx::residentBlocks(const Module &module, const Launch &launch) {
  // Of an A100 and an H100; a block takes 1 KB more than it asks for.
  bool isSm80 = module.target == "sm_80";
  size_t shared = size_t(isSm80 ? 164 : 228) * 1024, mostBlocks = 32, mostWarps = 64;
  size_t threads = size_t(launch.block[0]) * launch.block[1] * launch.block[2];
  size_t warps = (threads + warpSize - 1) / warpSize;
  size_t byShared = shared / (sharedBytesOf(module, launch) + 1024);
  return static_cast<uint32_t>(
      std::min({mostBlocks, mostWarps / std::max<size_t>(warps, 1), byShared}));
}

/// What a device of compute capability 8 or 9 takes.
static std::string checkLaunch(const Module &module, const Function &function,
                               const Launch &launch) {
  uint64_t threads = uint64_t(launch.block[0]) * launch.block[1] * launch.block[2];
  bool isSm80 = module.target == "sm_80";
  size_t mostShared = size_t(isSm80 ? 163 : 227) * 1024;
  if (threads == 0 || threads > 1024 || launch.block[2] > 64)
    return "expected 1 to 1024 threads in a block, got " + std::to_string(threads);
  if (!launch.grid[0] || !launch.grid[1] || !launch.grid[2] || launch.grid[0] > 0x7fffffff ||
      launch.grid[1] > 65535 || launch.grid[2] > 65535)
    return "expected a grid of at most 2147483647 by 65535 by 65535 blocks";
  if (function.requiredThreads && threads != function.requiredThreads)
    return "expected " + std::to_string(function.requiredThreads) +
           " threads as .reqntid says, got " + std::to_string(threads);
  if (function.mostThreads && threads > function.mostThreads)
    return "expected no more threads than .maxntid says, got " + std::to_string(threads);
  if (launch.dynamicShared > mostShared)
    return "expected at most " + std::to_string(mostShared) + " bytes of shared memory, got " +
           std::to_string(launch.dynamicShared);
  if (launch.parameters.size() != function.parameterBytes)
    return "expected " + std::to_string(function.parameterBytes) + " bytes of parameters";
  return {};
}

static std::string checkResidency(const Module &module, const Launch &launch,
                                  uint32_t multiprocessors) {
  uint32_t most = residentBlocks(module, launch) * multiprocessors;
  if (!launch.isCooperative || launch.blocks() <= most)
    return {};
  return "expected at most " + std::to_string(most) + " blocks side by side, got " +
         std::to_string(launch.blocks());
}

std::string Machine::runSideBySide(const Module &module, const Function &function,
                                   const Launch &launch, const std::vector<uint32_t> &numbers,
                                   std::mt19937_64 &random) {
  std::vector<std::unique_ptr<Block>> running;
  for (uint32_t number : numbers)
    running.push_back(
        std::make_unique<Block>(*this, module, function, launch, number, launches, random()));
  while (!running.empty()) {
    std::shuffle(running.begin(), running.end(), random);
    for (auto &block : running)
      if (!block->runTurn()) {
        if (block->hasFailed())
          return block->failure();
        block = nullptr;
      }
    std::erase(running, nullptr);
  }
  return {};
}

std::string Machine::runBlocks(const Module &module, const Function &function, const Launch &launch,
                               uint64_t order) {
  ++launches;
  goOn();
  std::mt19937_64 random(order);
  std::vector<uint32_t> numbers(launch.blocks());
  std::iota(numbers.begin(), numbers.end(), 0);
  std::shuffle(numbers.begin(), numbers.end(), random);
  if (launch.isCooperative)
    return runSideBySide(module, function, launch, numbers, random);
  for (uint32_t number : numbers) {
    std::string error = Block(*this, module, function, launch, number, launches, random()).run();
    if (!error.empty())
      return error;
  }
  return {};
}

uint32_t Machine::arrive(const Instruction &i, const Launch &launch) {
  goOn();
  if (!phases || i.order == Instruction::Order::None)
    return 0;
  counter = phases->arrive(i);
  return launch.blocks() - 1;
}

std::string Machine::checkAll(const Module &module, const Function &function,
                              const Launch &launch) const {
  std::string error = checkLaunch(module, function, launch);
  if (error.empty())
    error = checkResidency(module, launch, multiprocessors);
  return error.empty() ? error : function.name + ": " + error;
}

std::string Machine::count(const Module &module, const Function &function, const Launch &launch,
                           Counter &by) {
  std::string error = checkAll(module, function, launch);
  ++launches;
  goOn();
  counter = &by;
  std::vector<uint32_t> numbers = by.sample(launch.blocks());
  for (uint32_t at = 0; error.empty() && at < numbers.size(); ++at) {
    by.beginBlock();
    error = Block(*this, module, function, launch, numbers[at], launches, seed).run();
  }
  counter = nullptr;
  return error;
}

std::string Machine::count(const Module &module, const Function &function, const Launch &launch,
                           Phases &by) {
  std::string error = checkAll(module, function, launch);
  ++launches;
  goOn();
  phases = &by;
  for (uint32_t number = 0; error.empty() && number < launch.blocks(); ++number) {
    counter = by.beginBlock();
    Block block(*this, module, function, launch, number, launches, seed);
    while (!by.hasEnough() && block.runTurn()) {
    }
    error = block.failure();
  }
  counter = nullptr;
  phases = nullptr;
  return error;
}

std::string Machine::launch(const Module &module, const Function &function, const Launch &launch) {
  if (std::string error = checkAll(module, function, launch); !error.empty())
    return error;
  races = {};
  uint64_t order = seed + launches;
  memory.beginLaunch();
  races.keepsReaders = launch.isCooperative;
  std::string error = runBlocks(module, function, launch, order);
  if (races.needsReaders) {
    memory.undo();
    races = {.reads = {}, .text = {}, .keepsReaders = true};
    error = runBlocks(module, function, launch, order);
  }
  if (!error.empty() || races.reads.empty())
    return error;
  DeviceMemory::Written after = memory.written();
  memory.undo();
  races.isReplaying = races.keepsReaders = true;
  bool isSame = runBlocks(module, function, launch, order).empty() && memory.written() == after;
  memory.restore(after);
  return isSame ? std::string() : races.text;
}
