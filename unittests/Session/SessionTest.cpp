//===- SessionTest.cpp - which calls compile, and calls from many threads -===//
#include "jit/Session/Session.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <thread>

#include <unistd.h>

using namespace jit;
using namespace jit::runtime;

/// forward(x, h=None) gives x + (h or x).
static constexpr const char *optionalProgram = R"(
func.func @forward(%x: !jit.tensor, %h: !jit.optional<!jit.tensor> {jit.default}) -> !jit.tensor {
  %one = arith.constant 1 : i64
  %none = jit.constant !jit.none = unit
  %is = aten.__is__ %h, %none : (!jit.optional<!jit.tensor>, !jit.none) -> i1
  %other = scf.if %is -> !jit.tensor {
    scf.yield %x : !jit.tensor
  } else {
    %t = jit.unchecked_cast %h : !jit.optional<!jit.tensor> to !jit.tensor
    scf.yield %t : !jit.tensor
  }
  %y = aten.add.Tensor %x, %other, %one : (!jit.tensor, !jit.tensor, i64) -> !jit.tensor
  return %y : !jit.tensor
})";

/// forward(x) adds x to a running total and gives it; scale(x) gives x * total; twice(x) needs no
/// state.
static constexpr const char *statefulProgram = R"(
jit.slot @total : !jit.optional<!jit.tensor> = unit {jit.mutable}
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %one = arith.constant 1 : i64
  %old = jit.slot_get @total : !jit.optional<!jit.tensor>
  %none = jit.constant !jit.none = unit
  %is = aten.__is__ %old, %none : (!jit.optional<!jit.tensor>, !jit.none) -> i1
  %sum = scf.if %is -> !jit.tensor {
    scf.yield %x : !jit.tensor
  } else {
    %t = jit.unchecked_cast %old : !jit.optional<!jit.tensor> to !jit.tensor
    %y = aten.add.Tensor %t, %x, %one : (!jit.tensor, !jit.tensor, i64) -> !jit.tensor
    scf.yield %y : !jit.tensor
  }
  %new = jit.derefine %sum : !jit.tensor to !jit.optional<!jit.tensor>
  jit.slot_set @total = %new : !jit.optional<!jit.tensor>
  return %sum : !jit.tensor
}
func.func @scale(%x: !jit.tensor) -> !jit.tensor {
  %old = jit.slot_get @total : !jit.optional<!jit.tensor>
  %t = jit.unchecked_cast %old : !jit.optional<!jit.tensor> to !jit.tensor
  %y = aten.mul.Tensor %x, %t : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %y : !jit.tensor
}
func.func @twice(%x: !jit.tensor) -> !jit.tensor {
  %one = arith.constant 1 : i64
  %y = aten.add.Tensor %x, %x, %one : (!jit.tensor, !jit.tensor, i64) -> !jit.tensor
  return %y : !jit.tensor
})";

/// The program in a file that no other test, and no other run of this one, writes.
static std::string fileOf(const char *program) {
  std::string path = testing::TempDir() + "/session-" + std::to_string(getpid()) + "-" +
                     testing::UnitTest::GetInstance()->current_test_info()->name() + ".mlir";
  std::ofstream(path) << program;
  return path;
}

/// Each combination of sizes has a variant of its own, so that counts say which were compiled.
static std::unique_ptr<Session> open(const char *program, size_t maxVariants = 64,
                                     SizePolicy sizes = SizePolicy::Static) {
  std::string path = fileOf(program);
  SessionOptions options;
  options.maxVariants = maxVariants;
  options.sizes = sizes;
  auto session = Session::open(path, options);
  EXPECT_TRUE(session) << session.error().str();
  return session ? std::move(*session) : nullptr;
}

/// A tensor of these sizes, all of its elements the same.
static Value full(std::vector<int64_t> sizes, float element) {
  Tensor tensor = *Tensor::allocate(ScalarType::Float, std::move(sizes));
  std::fill_n(tensor.mutableAs<float>(), tensor.numElements(), element);
  return tensor;
}

/// The first element of the call's result; not a number where it fails.
static float run(Session &session, const std::string &method, std::vector<Value> args) {
  auto result = session.run(method, args);
  EXPECT_TRUE(result) << result.error().str();
  return result ? result->getIf<Tensor>()->as<float>()[0] : NAN;
}

static void runThreads(unsigned count, const std::function<void(unsigned)> &body) {
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < count; ++i)
    threads.emplace_back(body, i);
  for (std::thread &thread : threads)
    thread.join();
}

TEST(Session, AlternatingSpecsCompileOnceEach) {
  auto session = open(optionalProgram);
  for (int round = 0; round < 5; ++round)
    for (int64_t size = 1; size <= 4; ++size)
      for (bool given : {false, true})
        EXPECT_EQ(run(*session, "forward", {full({size}, 1), given ? full({size}, 2) : Value()}),
                  given ? 3 : 2);
  EXPECT_EQ(session->statistics().compiles, 8u);
  EXPECT_EQ(session->statistics().hits, 32u);
}

/// move(p, by) gives the object p, of a float n and a tensor, with n + by.
static constexpr const char *objectProgram = R"(
func.func @move(%p: !jit.tuple<f64, !jit.tensor> {jit.layout = ["object", "__torch__.P", ["n", unit], ["x", unit]]},
                %by: f64) -> (!jit.tuple<f64, !jit.tensor> {jit.layout = ["enum", "__torch__.E", ["A", 1.5]]}) {
  %o = jit.create_object : !jit.object<"__torch__.P">
  %parts:2 = jit.tuple_unpack %p : (!jit.tuple<f64, !jit.tensor>) -> (f64, !jit.tensor)
  %n = arith.addf %parts#0, %by : f64
  jit.set_attr %o["n"] = %n : !jit.object<"__torch__.P">, f64
  %moved = jit.get_attr %o["n"] : (!jit.object<"__torch__.P">) -> f64
  %out = jit.tuple %moved, %parts#1 : (f64, !jit.tensor) -> !jit.tuple<f64, !jit.tensor>
  return %out : !jit.tuple<f64, !jit.tensor>
})";

TEST(Session, ObjectsAreTuplesThatLayoutsName) {
  auto session = open(objectProgram);
  EXPECT_EQ(session->methods()[0].layout,
            R"({"arguments":[["object","__torch__.P",["n",null],["x",null]],null],)"
            R"("result":["enum","__torch__.E",["A",1.5]]})");
  std::vector<Value> args = {Value(Tuple{{Value(2.0), full({3}, 4)}}), Value(0.5)};
  auto result = session->run("move", args);
  ASSERT_TRUE(result) << result.error().str();
  const auto &parts = result->getIf<Tuple>()->items;
  EXPECT_EQ(*parts[0].getIf<double>(), 2.5);
  EXPECT_EQ(parts[1].getIf<Tensor>()->as<float>()[2], 4);
  EXPECT_EQ(*args[0].getIf<Tuple>()->items[0].getIf<double>(), 2.0);
  EXPECT_EQ(open(optionalProgram)->methods()[0].layout, "");
}

/// put(cache, row, at) writes a row of the cache.
static constexpr const char *cacheProgram = R"(
func.func @put(%cache: !jit.tensor, %row: !jit.tensor, %at: i64) {
  %zero = arith.constant 0 : i64
  %place = aten.select.int %cache, %zero, %at : (!jit.tensor, i64, i64) -> !jit.tensor
  %written = jit.overwrite %place, %row : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return
})";

TEST(Session, WhatOneCallerHasIsWrittenWhereItLies) {
  auto session = open(cacheProgram);
  std::vector<Value> args = {full({4, 2}, 0), full({2}, 1), Value(int64_t(2))};
  const void *memory = args[0].getIf<Tensor>()->data();
  ASSERT_TRUE(session->run("put", args));
  EXPECT_EQ(args[0].getIf<Tensor>()->data(), memory);
  EXPECT_EQ(args[0].getIf<Tensor>()->as<float>()[4], 1);
  Tensor other = *args[0].getIf<Tensor>();
  args[1] = full({2}, 3);
  ASSERT_TRUE(session->run("put", args));
  EXPECT_NE(args[0].getIf<Tensor>()->data(), memory);
  EXPECT_EQ(args[0].getIf<Tensor>()->as<float>()[4], 3);
  EXPECT_EQ(other.as<float>()[4], 1);
}

TEST(Session, GraphForShowsOnlyWhatTheCallRuns) {
  auto session = open(optionalProgram);
  auto graph = [&](std::vector<Value> args, bool differentiate) {
    auto text = session->graphFor("forward", args, differentiate);
    EXPECT_TRUE(text) << text.error().str();
    return text ? *text : "";
  };
  Value x = full({2}, 1), marked = full({2}, 1);
  marked.getIf<Tensor>()->setRequiresGrad(true);
  std::string none = graph({x, Value()}, false), given = graph({x, x}, false);
  for (const std::string &text : {none, given})
    for (const char *gone : {"scf.if", "optional", "__is__", "none"})
      EXPECT_EQ(text.find(gone), std::string::npos) << gone << " in " << text;
  EXPECT_EQ(none.find("%arg1"), std::string::npos) << none;
  EXPECT_NE(given.find("%arg1"), std::string::npos) << given;
  EXPECT_EQ(given.find("grad ="), std::string::npos) << given;
  EXPECT_NE(graph({marked, x}, true).find("grad ="), std::string::npos);
  EXPECT_EQ(session->statistics().compiles, 0u) << "nothing was called";
}

TEST(Session, ExplainsWhatACompilationDid) {
  std::string path = fileOf(optionalProgram);
  std::string said;
  SessionOptions options;
  options.explain = [&](const std::string &line) { said += line + "\n"; };
  auto session = Session::open(path, options);
  ASSERT_TRUE(session) << session.error().str();
  run(**session, "forward", {full({2}, 1), Value()});
  EXPECT_NE(said.find("is None in this call"), std::string::npos) << said;
  EXPECT_NE(said.find("the other branch is gone"), std::string::npos) << said;
  said.clear();
  run(**session, "forward", {full({2}, 1), Value()});
  EXPECT_EQ(said, "") << "a call whose variant is there compiles nothing";
}

TEST(Session, KindsOfCallsHaveVariantsOfTheirOwn) {
  auto session = open(optionalProgram);
  auto compiles = [&](std::vector<Value> args) {
    uint64_t before = session->statistics().compiles;
    auto result = session->run("forward", args);
    EXPECT_TRUE(result) << result.error().str();
    return session->statistics().compiles - before;
  };
  Value marked = full({2}, 1);
  marked.getIf<Tensor>()->setRequiresGrad(true);
  std::vector<std::vector<Value>> kinds = {{full({2}, 1)},
                                           {full({2}, 1), Value()},
                                           {full({2}, 1), full({2}, 1)},
                                           {full({3}, 1)},
                                           {full({1, 2}, 1)},
                                           {marked},
                                           {full({2}, 1), full({1}, 1)}};
  for (const auto &args : kinds)
    EXPECT_EQ(compiles(args), 1u);
  for (const auto &args : kinds)
    EXPECT_EQ(compiles(args), 0u);
  EXPECT_TRUE(session->runWithGradients("forward", kinds[5]));
  EXPECT_EQ(session->statistics().compiles, kinds.size() + 1);
}

TEST(Session, KeepsAtMostSoManyVariants) {
  auto session = open(optionalProgram, /*maxVariants=*/2);
  for (size_t rank : {1, 2, 1, 3, 1, 2})
    EXPECT_EQ(run(*session, "forward", {full(std::vector<int64_t>(rank, 1), 1)}), 2);
  CacheStatistics counts = session->statistics();
  EXPECT_EQ(counts.compiles, 4u);
  EXPECT_EQ(counts.evictions, 2u);
  EXPECT_EQ(counts.hits, 2u);
}

//===----------------------------------------------------------------------===//
// Sizes that change
//===----------------------------------------------------------------------===//

/// A second size of a dimension makes it open; others keep theirs.
TEST(Session, ADimensionIsOpenFromItsSecondSizeOn) {
  auto session = open(optionalProgram, 64, SizePolicy::Automatic);
  for (int64_t size : {2, 3, 2, 9, 5})
    EXPECT_EQ(run(*session, "forward", {full({size, 4}, 1), full({size, 4}, 2)}), 3);
  EXPECT_EQ(session->statistics().compiles, 2u);
  EXPECT_EQ(session->statistics().generic, 3u);
  EXPECT_EQ(run(*session, "forward", {full({5, 6}, 1), full({5, 6}, 2)}), 3);
  EXPECT_EQ(run(*session, "forward", {full({7, 8}, 1), full({7, 8}, 2)}), 3);
  EXPECT_EQ(session->statistics().compiles, 3u);
}

/// What a call of these sizes runs is compiled beside calls.
TEST(Session, SizesThatComeOftenGetTheirOwnVariant) {
  auto session = open(optionalProgram, 64, SizePolicy::Automatic);
  for (int64_t size : {2, 3})
    EXPECT_EQ(run(*session, "forward", {full({size}, 1)}), 2);
  auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (session->statistics().optimised < 3 && std::chrono::steady_clock::now() < deadline)
    EXPECT_EQ(run(*session, "forward", {full({3}, 1)}), 2);
  EXPECT_EQ(session->statistics().optimised, 3u);
  EXPECT_EQ(session->statistics().compiles, 3u);
  EXPECT_EQ(run(*session, "forward", {full({3}, 1)}), 2);
}

//===----------------------------------------------------------------------===//
// Variants for any sizes
//===----------------------------------------------------------------------===//

static std::unique_ptr<Session> openSymbolic(const char *program) {
  std::string path = fileOf(program);
  SessionOptions options;
  options.verifyStages = true;
  options.sizes = SizePolicy::Symbolic;
  auto session = Session::open(path, options);
  EXPECT_TRUE(session) << session.error().str();
  return session ? std::move(*session) : nullptr;
}

TEST(Session, SymbolicSizesShareAVariant) {
  auto session = openSymbolic(optionalProgram);
  for (int64_t size : {2, 3, 2, 9})
    EXPECT_EQ(run(*session, "forward", {full({size}, 1), full({size}, 2)}), 3);
  EXPECT_EQ(session->statistics().compiles, 1u);
  EXPECT_EQ(session->statistics().generic, 3u);
  // Those of size 1 broadcast, those of size 0 have nothing.
  EXPECT_EQ(run(*session, "forward", {full({4}, 1), full({1}, 2)}), 3);
  EXPECT_EQ(run(*session, "forward", {full({5}, 1), full({1}, 2)}), 3);
  EXPECT_EQ(session->statistics().compiles, 2u);
}

TEST(Session, FurtherSizesShareAVariantOnceTheCacheIsFull) {
  auto session = open(optionalProgram, /*maxVariants=*/2);
  for (int64_t size : {2, 3, 4, 5, 6})
    EXPECT_EQ(run(*session, "forward", {full({size}, 1)}), 2);
  EXPECT_EQ(session->statistics().compiles, 3u);
  EXPECT_EQ(session->statistics().generic, 3u);
}

TEST(Session, SizesThatDoNotMeetAreRefusedAsEver) {
  auto session = openSymbolic(optionalProgram);
  EXPECT_EQ(run(*session, "forward", {full({3}, 1), full({3}, 2)}), 3);
  std::vector<Value> args = {full({3}, 1), full({4}, 2)};
  auto result = session->run("forward", args);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message,
            "expected operands that broadcast, got sizes 3 and 4 at dimension -1");
}

/// The second operand has two elements less than the first: one of three broadcasts it.
TEST(Session, SizesThatTurnOutToBroadcastHaveAVariantOfTheirOwn) {
  auto session = openSymbolic(R"(
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %none = jit.constant !jit.none = unit
  %n = aten.size.int %x, %zero : (!jit.tensor, i64) -> i64
  %less = arith.subi %n, %two : i64
  %sizes = jit.list %less : (i64) -> !jit.list<i64>
  %ones = aten.ones %sizes, %none, %none, %none, %none : (!jit.list<i64>, !jit.none, !jit.none, !jit.none, !jit.none) -> !jit.tensor
  %y = aten.add.Tensor %x, %ones, %one : (!jit.tensor, !jit.tensor, i64) -> !jit.tensor
  return %y : !jit.tensor
})");
  for (int round = 0; round < 3; ++round)
    EXPECT_EQ(run(*session, "forward", {full({3}, 1)}), 2);
  EXPECT_EQ(session->statistics().compiles, 2u);
  // The spec and its exact kind are made once; then the spec finds that by itself.
  EXPECT_EQ(session->statistics().misses, 2u);
  EXPECT_EQ(session->statistics().hits, 2u);
}

TEST(Session, RefusalsAreNotKept) {
  auto session = open(optionalProgram);
  std::vector<Value> number = {int64_t(3)}, many(3);
  for (int i = 0; i < 2; ++i) {
    auto result = session->run("forward", number);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().message, "expected argument 0 of type Tensor, got an int");
  }
  EXPECT_EQ(session->statistics().failures, 2u);
  for (const auto &error :
       {session->run("forward", many).error(), session->graphFor("forward", many).error()})
    EXPECT_EQ(error.message, "expected at most 2 arguments for 'forward', got 3");
  EXPECT_EQ(session->run("backward", many).error().code, ErrorCode::NotFound);
  EXPECT_EQ(run(*session, "forward", {full({2}, 1)}), 2);
}

TEST(Session, StateCountsByItsKind) {
  auto session = open(statefulProgram);
  for (int i = 1; i <= 5; ++i)
    EXPECT_EQ(run(*session, "forward", {full({2}, 1)}), i);
  EXPECT_EQ(session->statistics().compiles, 2u) << "with no total yet, and with one";
  EXPECT_EQ(run(*session, "scale", {full({2}, 3)}), 15);
  EXPECT_EQ(run(*session, "forward", {full({4, 1}, 1)}), 6) << "from now on the total is 4x2";
  EXPECT_EQ(run(*session, "scale", {full({2}, 3)}), 18);
  EXPECT_EQ(session->statistics().compiles, 5u);
  session->resetState();
  EXPECT_EQ(run(*session, "forward", {full({2}, 1)}), 1);
  EXPECT_EQ(run(*session, "forward", {full({2}, 1)}), 2);
  EXPECT_EQ(run(*session, "scale", {full({2}, 3)}), 6);
  EXPECT_EQ(session->statistics().compiles, 5u) << "kinds of state that were there before";
}

TEST(Session, ThreadsCompileACallOnce) {
  constexpr unsigned count = 4;
  auto session = open(optionalProgram);
  std::atomic<unsigned> right{0};
  runThreads(count, [&](unsigned) { right += run(*session, "forward", {full({8}, 1)}) == 2; });
  EXPECT_EQ(right, count);
  CacheStatistics counts = session->statistics();
  EXPECT_EQ(counts.compiles, 1u);
  EXPECT_EQ(counts.waits + counts.hits, count - 1);
}

TEST(Session, ThreadsAlternateBetweenSpecs) {
  auto session = open(optionalProgram, /*maxVariants=*/4);
  std::atomic<unsigned> wrong{0};
  runThreads(4, [&](unsigned i) {
    // Three sizes and None or not are more variants than are kept.
    for (int round = 0; round < 12; ++round) {
      float element = float(i * 100 + round);
      Value x = full({1 + (round + i) % 3}, element);
      wrong += run(*session, "forward", {x, round % 2 ? x : Value()}) != 2 * element;
    }
    wrong += !session->graphFor("forward", std::vector<Value>{full({2}, 1)});
  });
  EXPECT_EQ(wrong, 0u);
  EXPECT_GT(session->statistics().evictions, 0u);
}

TEST(Session, CallsThatWriteStateRunOneAfterAnother) {
  constexpr int count = 4, rounds = 200;
  auto session = open(statefulProgram);
  run(*session, "forward", {full({2}, 0)});
  std::atomic<unsigned> wrong{0};
  runThreads(count, [&](unsigned i) {
    for (int round = 0; round < rounds; ++round) {
      run(*session, "forward", {full({2}, 1)});
      wrong += run(*session, "twice", {full({2}, float(i))}) != float(2 * i);
      float seen = run(*session, "scale", {full({2}, 2)});
      wrong += seen < 2 * float(round + 1) || seen > 2 * count * rounds;
    }
  });
  EXPECT_EQ(wrong, 0u);
  auto total = session->state("total");
  ASSERT_TRUE(total);
  EXPECT_EQ(total->getIf<Tensor>()->as<float>()[0], count * rounds);
}

/// For the thread sanitizer above all (preset tsan); JIT_THREAD_ROUNDS makes it longer.
TEST(Session, ThreadsMixAllThatASessionDoes) {
  const char *wanted = std::getenv("JIT_THREAD_ROUNDS");
  int rounds = wanted ? std::atoi(wanted) : 6;
  auto session = open(statefulProgram, /*maxVariants=*/3);
  std::string other = fileOf(optionalProgram);
  std::atomic<unsigned> wrong{0};
  runThreads(4, [&](unsigned thread) {
    for (int round = 0; round < rounds; ++round) {
      Value x = full({1 + (round + thread) % 4}, 1);
      std::vector<Value> args = {x};
      switch ((thread + unsigned(round)) % 6) {
      case 0:
        wrong += !session->run("forward", args);
        break;
      case 1:
        wrong += run(*session, "twice", args) != 2;
        break;
      case 2:
        wrong += !session->state("total");
        break;
      case 3:
        session->resetState();
        break;
      case 4:
        wrong += !session->graphFor("twice", args);
        break;
      default: {
        auto own = Session::open(other, {});
        wrong += !own || run(**own, "forward", {x, Value()}) != 2;
      }
      }
      wrong += session->statistics().compiles > 1000;
    }
  });
  EXPECT_EQ(wrong, 0u);
}
