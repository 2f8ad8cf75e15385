//===- CallKeyBenchmark.cpp - what finding a call's variant costs ---------===//
//
// The part of a call that comes before its code: the key of its arguments, its hash, and the
// look-up among the variants compiled so far. Run with --benchmark_repetitions=20 for medians;
// scripted_call.py measures TorchScript on the same arguments.
//
//===----------------------------------------------------------------------===//
#include "jit/Runtime/VariantCache.h"

#include <benchmark/benchmark.h>
#include <latch>
#include <thread>

using namespace jit;
using namespace jit::runtime;

namespace {
struct Variant {};

/// A function of `count` tensors, and a call of it.
struct TensorCall {
  CallKeyEncoder encoder;
  std::vector<Value> args;

  static Signature signature(size_t count) {
    return {"forward", std::vector<ArgumentType>(count, {ArgumentType::Kind::Tensor})};
  }
  TensorCall(size_t count, int64_t batch) : encoder(*CallKeyEncoder::create(signature(count))) {
    for (size_t i = 0; i < count; ++i)
      args.push_back(*Tensor::allocate(ScalarType::Float, {batch, int64_t(8 + i)}));
  }
};

/// In a process of one thread the C++ library leaves atomic operations out; who embeds a session
/// has more than one.
struct SecondThread {
  std::latch end{1};
  std::jthread thread{[this] { end.wait(); }};

  ~SecondThread() { end.count_down(); }
};
} // namespace

static void encode(benchmark::State &state) {
  TensorCall call(state.range(0), 4);
  CallKey key;
  for (auto _ : state)
    benchmark::DoNotOptimize(call.encoder.encode(call.args, {}, key));
}
BENCHMARK(encode)->Arg(1)->Arg(10)->Arg(100);

static void encodeAndLookUp(benchmark::State &state) {
  std::vector<TensorCall> calls;
  for (int64_t batch = 1; batch <= state.range(1); ++batch)
    calls.emplace_back(state.range(0), batch);
  SecondThread second;
  VariantCache<Variant> cache;
  auto compile = [] { return Result(std::make_shared<Variant>()); };
  size_t next = 0;
  for (auto _ : state) {
    const TensorCall &call = calls[next];
    next = next + 1 == calls.size() ? 0 : next + 1;
    CallKey key;
    if (auto done = call.encoder.encode(call.args, {}, key); !done)
      return state.SkipWithError(done.error().message.c_str());
    auto variant = cache.get(key.ref(), compile);
    benchmark::DoNotOptimize(variant);
  }
}
BENCHMARK(encodeAndLookUp)
    ->ArgNames({"tensors", "variants"})
    ->Args({1, 1})
    ->Args({10, 1})
    ->Args({10, 8})
    ->Args({10, 64})
    ->Args({100, 1});
