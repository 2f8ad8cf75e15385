//===- StateKinds.cpp - what keys say of module state ---------------------===//

#include "StateKinds.h"

using namespace jit;
using namespace jit::runtime;

Result<void> StateKinds::appendRecords(ModuleState &state, CallKey &records) const {
  for (unsigned slot : slots) {
    auto value = state.get(slot);
    if (!value)
      return value.takeError();
    if (auto done = appendRecord(*value, ModuleState::keyPolicy, records); !done)
      return done;
  }
  return {};
}

Result<std::vector<ValueSpec>> StateKinds::specs(ModuleState &state) const {
  CallKey records;
  if (auto done = appendRecords(state, records); !done)
    return done.takeError();
  return readRecords(records.words());
}

Result<uint64_t> StateKinds::present(ModuleState &state) {
  if (slots.empty())
    return 0;
  std::lock_guard<std::mutex> lock(mutex);
  if (version == state.version())
    return number;
  CallKey records;
  if (auto done = appendRecords(state, records); !done)
    return done.takeError();
  if (numbers.size() >= maxKept)
    numbers.clear();
  std::vector<uint64_t> key(records.words().begin(), records.words().end());
  auto [found, isNew] = numbers.try_emplace(std::move(key), lastNumber + 1);
  lastNumber += isNew;
  version = state.version();
  return number = found->second;
}
