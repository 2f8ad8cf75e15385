//===- ArgumentSpecTest.cpp - which calls are of one kind -----------------===//
#include "jit/Runtime/ArgumentSpec.h"

#include <gtest/gtest.h>
#include <set>

using namespace jit;
using namespace jit::runtime;

using Kind = ArgumentType::Kind;

static const ArgumentType tensorType{Kind::Tensor}, scalarType{Kind::Scalar}, anyType{Kind::Any};

static ArgumentType of(Kind kind, std::vector<ArgumentType> elements) {
  return {kind, std::move(elements)};
}

static Value tensor(std::vector<int64_t> sizes, ScalarType type = ScalarType::Float) {
  return *Tensor::view(type, std::move(sizes), nullptr, nullptr);
}

static Value withGrad(Value value) {
  value.getIf<Tensor>()->setRequiresGrad(true);
  return value;
}

static Value integer(int64_t value) { return value; }

namespace {
/// The words of specs of one signature.
struct Specs {
  SpecCreator creator;

  explicit Specs(std::vector<ArgumentType> types, SpecPolicy policy = {})
      : creator(*SpecCreator::create({"f", std::move(types), policy})) {}

  std::vector<uint64_t> operator()(const std::vector<Value> &args, CallContext context = {}) const {
    ArgumentSpec spec;
    auto done = creator.encode(args, context, spec);
    EXPECT_TRUE(done) << done.error().str();
    return {spec.words().begin(), spec.words().end()};
  }
};
} // namespace

/// Whatever a type says of these, each is of its own kind.
static std::vector<Value> distinctValues() {
  Value list = List{{tensor({2}), Value()}};
  return {
      Value(),
      Tensor(),
      tensor({}),
      tensor({1}),
      tensor({2}),
      tensor({2}, ScalarType::Long),
      tensor({2, 1}),
      withGrad(tensor({2})),
      integer(0),
      integer(1),
      integer(-1),
      integer(int64_t(1) << 59),
      integer(int64_t(1) << 62),
      integer(INT64_MIN),
      1.5,
      true,
      false,
      "",
      "a",
      "a longer text, more than a word",
      Tuple{},
      Tuple{{tensor({2})}},
      Tuple{{tensor({2}), Value()}},
      Tuple{{tensor({2}), tensor({2})}},
      Tuple{{tensor({2}), Tuple{{Value()}}}},
      List{},
      List{{integer(1)}},
      List{{integer(2)}},
      List{{integer(1), integer(1)}},
      List{{tensor({2})}},
      List{{tensor({2}), tensor({2})}},
      List{{tensor({2}), tensor({3})}},
      list,
      List{{list}},
      List{{list, list}},
  };
}

/// Types that lead through all of the instructions, fitting or not.
static std::vector<ArgumentType> someTypes() {
  return {tensorType,
          scalarType,
          anyType,
          of(Kind::Optional, {tensorType}),
          of(Kind::Tuple, {tensorType, of(Kind::Optional, {tensorType})}),
          of(Kind::List, {scalarType}),
          of(Kind::List, {of(Kind::Optional, {tensorType})}),
          of(Kind::Optional, {of(Kind::List, {of(Kind::List, {tensorType})})})};
}

TEST(ArgumentSpec, EqualCallsHaveEqualSpecs) {
  for (const ArgumentType &type : someTypes()) {
    Specs specs({type, anyType});
    for (const Value &value : distinctValues())
      EXPECT_EQ(specs({value, value}), specs({value, value}));
    EXPECT_EQ(specs({1.5, tensor({2})}), specs({2.5, tensor({2})})) << "floats stay arguments";
  }
}

TEST(ArgumentSpec, DifferentValuesHaveDifferentSpecs) {
  std::vector<Value> values = distinctValues();
  for (const ArgumentType &type : someTypes()) {
    Specs specs({type, tensorType});
    for (size_t i = 0; i < values.size(); ++i)
      for (size_t j = 0; j < i; ++j)
        EXPECT_NE(specs({values[i], tensor({2})}), specs({values[j], tensor({2})}))
            << values[i].kindString() << " " << i << " and " << j << " for type " << int(type.kind);
  }
}

TEST(ArgumentSpec, TypesGuideButDoNotChangeTheRecords) {
  for (const Value &value : distinctValues())
    for (const ArgumentType &type : someTypes())
      EXPECT_EQ(Specs({type, tensorType})({value, tensor({2})}),
                Specs({anyType, anyType})({value, tensor({2})}));
}

TEST(ArgumentSpec, OptionalsInsideTuplesAndLists) {
  ArgumentType optional = of(Kind::Optional, {tensorType});
  Specs specs({of(Kind::Tuple, {tensorType, optional}), of(Kind::List, {optional})});
  auto call = [&](Value inTuple, Value inList) {
    return specs({Tuple{{tensor({2}), std::move(inTuple)}},
                  List{{tensor({2}), std::move(inList), tensor({2})}}});
  };
  auto both = call(tensor({2}), tensor({2}));
  auto first = call(tensor({2}), Value());
  auto second = call(Value(), tensor({2}));
  EXPECT_NE(both, first);
  EXPECT_NE(both, second);
  EXPECT_NE(first, second);
  EXPECT_EQ(first, call(tensor({2}), Value()));
}

TEST(ArgumentSpec, SymbolicSizesRecordWhichAreZeroOrOne) {
  Specs specs({tensorType}, {.sizes = SizePolicy::Symbolic});
  EXPECT_EQ(specs({tensor({2, 1, 8})}), specs({tensor({7, 1, 3})}));
  EXPECT_NE(specs({tensor({2, 1, 8})}), specs({tensor({2, 1, 0})}));
  EXPECT_NE(specs({tensor({2, 1, 8})}), specs({tensor({2, 8, 1})}));
  EXPECT_NE(specs({tensor({2, 1, 8})}), specs({tensor({2, 1})}));
  std::vector<int64_t> many(130, 1), other = many;
  other[129] = 2;
  EXPECT_NE(specs({tensor(many)}), specs({tensor(other)}));
}

TEST(ArgumentSpec, StridesCountWhereTheyAreAskedFor) {
  auto strided = [](std::vector<int64_t> sizes, std::vector<int64_t> strides) {
    Tensor made = *Tensor::allocate(ScalarType::Float, std::move(sizes));
    made.setCallerLayout({.strides = std::move(strides)});
    return Value(made);
  };
  for (SizePolicy sizes : {SizePolicy::Static, SizePolicy::Symbolic}) {
    Specs blind({tensorType}, {.sizes = sizes}), asking({tensorType}, {sizes, true});
    EXPECT_EQ(blind({tensor({3, 2})}), blind({strided({3, 2}, {1, 3})}));
    EXPECT_NE(asking({tensor({3, 2})}), asking({strided({3, 2}, {1, 3})}));
    EXPECT_NE(asking({strided({3, 2}, {1, 4})}), asking({strided({3, 2}, {1, 3})}));
    EXPECT_EQ(asking({strided({3, 2}, {1, 3})}), asking({strided({3, 2}, {1, 3})}));
    EXPECT_NE(asking({strided({3, 4}, {1, 3})}), asking({strided({3, 2}, {1, 3})}));
  }
}

TEST(ArgumentSpec, FunctionsStateAndOmittedArgumentsCount) {
  Specs specs({tensorType, of(Kind::Optional, {tensorType})});
  EXPECT_NE(specs({tensor({2})}), specs({tensor({2}), Value()}));
  std::set<std::vector<uint64_t>> contexts;
  for (uint32_t entry : {0, 1, 2})
    for (uint64_t state : {0, 1, 2})
      contexts.insert(specs({tensor({2})}, {entry, state}));
  EXPECT_EQ(contexts.size(), 9u);
}

TEST(ArgumentSpec, RefusesTooManyArguments) {
  Specs specs({tensorType});
  ArgumentSpec spec;
  auto done = specs.creator.encode(std::vector<Value>(2), {}, spec);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::InvalidArgument);
  EXPECT_EQ(done.error().message, "expected at most 1 arguments for 'f', got 2");
}

TEST(ArgumentSpec, RefusesDeepNesting) {
  Value value = tensor({2});
  ArgumentType type = tensorType;
  for (unsigned i = 0; i < maxArgumentDepth; ++i) {
    value = List{{std::move(value)}};
    type = of(Kind::List, {type});
  }
  ArgumentSpec spec;
  EXPECT_TRUE(appendRecord(value, {}, spec));
  EXPECT_EQ(Specs({type})({value}), Specs({anyType})({value}));

  value = List{{value, value}};
  auto done = appendRecord(value, {}, spec);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::LimitExceeded);
  EXPECT_FALSE(Specs({type}).creator.encode({&value, 1}, {}, spec));
  auto creator = SpecCreator::create({"f", {of(Kind::List, {type})}});
  ASSERT_FALSE(creator);
  EXPECT_EQ(creator.error().code, ErrorCode::LimitExceeded);
}

TEST(ArgumentSpec, RefusesTypesWithoutTheirElements) {
  for (Kind kind : {Kind::Optional, Kind::List}) {
    EXPECT_FALSE(SpecCreator::create({"f", {of(kind, {})}}));
    EXPECT_FALSE(SpecCreator::create({"f", {of(kind, {tensorType, tensorType})}}));
  }
}

TEST(ArgumentSpec, LongSpecsOutgrowTheObject) {
  Specs specs({of(Kind::List, {scalarType})});
  std::vector<Value> items;
  ArgumentSpec spec;
  for (int64_t i = 0; i < 1000; ++i) {
    items.push_back(integer(i));
    std::vector<Value> args = {List{items}};
    ASSERT_TRUE(specs.creator.encode(args, {}, spec));
    ASSERT_EQ(spec.words().size(), 3 + items.size());
    ASSERT_TRUE(std::ranges::equal(spec.words(), specs(args))) << i;
  }
}

TEST(ArgumentSpec, HashesDiffer) {
  Specs specs({tensorType});
  std::set<uint64_t> hashes;
  ArgumentSpec spec;
  for (int64_t i = 0; i < 100; ++i)
    for (int64_t j = 0; j < 100; ++j) {
      std::vector<Value> args = {tensor({i, j})};
      ASSERT_TRUE(specs.creator.encode(args, {}, spec));
      hashes.insert(spec.key().hash);
    }
  EXPECT_EQ(hashes.size(), 10000u);
}
