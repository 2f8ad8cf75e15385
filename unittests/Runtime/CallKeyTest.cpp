//===- CallKeyTest.cpp - which calls are of one kind ----------------------===//
#include "jit/Runtime/CallKey.h"

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
/// The words of keys of one signature.
struct Keys {
  CallKeyEncoder encoder;

  explicit Keys(std::vector<ArgumentType> types, KeyPolicy policy = {})
      : encoder(*CallKeyEncoder::create({"f", std::move(types), policy})) {}

  std::vector<uint64_t> operator()(const std::vector<Value> &args, CallContext context = {}) const {
    CallKey key;
    auto done = encoder.encode(args, context, key);
    EXPECT_TRUE(done) << done.error().str();
    return {key.words().begin(), key.words().end()};
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

TEST(CallKey, EqualCallsHaveEqualKeys) {
  for (const ArgumentType &type : someTypes()) {
    Keys keys({type, anyType});
    for (const Value &value : distinctValues())
      EXPECT_EQ(keys({value, value}), keys({value, value}));
    EXPECT_EQ(keys({1.5, tensor({2})}), keys({2.5, tensor({2})})) << "floats stay arguments";
  }
}

TEST(CallKey, DifferentValuesHaveDifferentKeys) {
  std::vector<Value> values = distinctValues();
  for (const ArgumentType &type : someTypes()) {
    Keys keys({type, tensorType});
    for (size_t i = 0; i < values.size(); ++i)
      for (size_t j = 0; j < i; ++j)
        EXPECT_NE(keys({values[i], tensor({2})}), keys({values[j], tensor({2})}))
            << values[i].kindString() << " " << i << " and " << j << " for type " << int(type.kind);
  }
}

TEST(CallKey, TypesGuideButDoNotChangeTheRecords) {
  for (const Value &value : distinctValues())
    for (const ArgumentType &type : someTypes())
      EXPECT_EQ(Keys({type, tensorType})({value, tensor({2})}),
                Keys({anyType, anyType})({value, tensor({2})}));
}

TEST(CallKey, OptionalsInsideTuplesAndLists) {
  ArgumentType optional = of(Kind::Optional, {tensorType});
  Keys keys({of(Kind::Tuple, {tensorType, optional}), of(Kind::List, {optional})});
  auto call = [&](Value inTuple, Value inList) {
    return keys({Tuple{{tensor({2}), std::move(inTuple)}},
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

TEST(CallKey, SymbolicSizesRecordWhichAreZeroOrOne) {
  Keys keys({tensorType}, {.sizes = SizePolicy::Symbolic});
  EXPECT_EQ(keys({tensor({2, 1, 8})}), keys({tensor({7, 1, 3})}));
  EXPECT_NE(keys({tensor({2, 1, 8})}), keys({tensor({2, 1, 0})}));
  EXPECT_NE(keys({tensor({2, 1, 8})}), keys({tensor({2, 8, 1})}));
  EXPECT_NE(keys({tensor({2, 1, 8})}), keys({tensor({2, 1})}));
  std::vector<int64_t> many(130, 1), other = many;
  other[129] = 2;
  EXPECT_NE(keys({tensor(many)}), keys({tensor(other)}));
}

TEST(CallKey, StridesCountWhereTheyAreAskedFor) {
  auto strided = [](std::vector<int64_t> sizes, std::vector<int64_t> strides) {
    Tensor made = *Tensor::allocate(ScalarType::Float, std::move(sizes));
    made.setCallerLayout({.strides = std::move(strides)});
    return Value(made);
  };
  for (SizePolicy sizes : {SizePolicy::Static, SizePolicy::Symbolic}) {
    Keys blind({tensorType}, {.sizes = sizes}), asking({tensorType}, {sizes, true});
    EXPECT_EQ(blind({tensor({3, 2})}), blind({strided({3, 2}, {1, 3})}));
    EXPECT_NE(asking({tensor({3, 2})}), asking({strided({3, 2}, {1, 3})}));
    EXPECT_NE(asking({strided({3, 2}, {1, 4})}), asking({strided({3, 2}, {1, 3})}));
    EXPECT_EQ(asking({strided({3, 2}, {1, 3})}), asking({strided({3, 2}, {1, 3})}));
    EXPECT_NE(asking({strided({3, 4}, {1, 3})}), asking({strided({3, 2}, {1, 3})}));
  }
}

TEST(CallKey, FunctionsStateAndOmittedArgumentsCount) {
  Keys keys({tensorType, of(Kind::Optional, {tensorType})});
  EXPECT_NE(keys({tensor({2})}), keys({tensor({2}), Value()}));
  std::set<std::vector<uint64_t>> contexts;
  for (uint32_t entry : {0, 1, 2})
    for (uint64_t state : {0, 1, 2})
      contexts.insert(keys({tensor({2})}, {entry, state}));
  EXPECT_EQ(contexts.size(), 9u);
}

TEST(CallKey, RefusesTooManyArguments) {
  Keys keys({tensorType});
  CallKey key;
  auto done = keys.encoder.encode(std::vector<Value>(2), {}, key);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::InvalidArgument);
  EXPECT_EQ(done.error().message, "expected at most 1 arguments for 'f', got 2");
}

TEST(CallKey, RefusesDeepNesting) {
  Value value = tensor({2});
  ArgumentType type = tensorType;
  for (unsigned i = 0; i < maxArgumentDepth; ++i) {
    value = List{{std::move(value)}};
    type = of(Kind::List, {type});
  }
  CallKey key;
  EXPECT_TRUE(appendRecord(value, {}, key));
  EXPECT_EQ(Keys({type})({value}), Keys({anyType})({value}));

  value = List{{value, value}};
  auto done = appendRecord(value, {}, key);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::LimitExceeded);
  EXPECT_FALSE(Keys({type}).encoder.encode({&value, 1}, {}, key));
  auto encoder = CallKeyEncoder::create({"f", {of(Kind::List, {type})}});
  ASSERT_FALSE(encoder);
  EXPECT_EQ(encoder.error().code, ErrorCode::LimitExceeded);
}

TEST(CallKey, RefusesTypesWithoutTheirElements) {
  for (Kind kind : {Kind::Optional, Kind::List}) {
    EXPECT_FALSE(CallKeyEncoder::create({"f", {of(kind, {})}}));
    EXPECT_FALSE(CallKeyEncoder::create({"f", {of(kind, {tensorType, tensorType})}}));
  }
}

TEST(CallKey, LongKeysOutgrowTheObject) {
  Keys keys({of(Kind::List, {scalarType})});
  std::vector<Value> items;
  CallKey key;
  for (int64_t i = 0; i < 1000; ++i) {
    items.push_back(integer(i));
    std::vector<Value> args = {List{items}};
    ASSERT_TRUE(keys.encoder.encode(args, {}, key));
    ASSERT_EQ(key.words().size(), 3 + items.size());
    ASSERT_TRUE(std::ranges::equal(key.words(), keys(args))) << i;
  }
}

TEST(CallKey, HashesDiffer) {
  Keys keys({tensorType});
  std::set<uint64_t> hashes;
  CallKey key;
  for (int64_t i = 0; i < 100; ++i)
    for (int64_t j = 0; j < 100; ++j) {
      std::vector<Value> args = {tensor({i, j})};
      ASSERT_TRUE(keys.encoder.encode(args, {}, key));
      hashes.insert(key.ref().hash);
    }
  EXPECT_EQ(hashes.size(), 10000u);
}

//===----------------------------------------------------------------------===//
// Read back
//===----------------------------------------------------------------------===//

/// What a key says of one value.
static ValueSpec specOf(const Value &value, KeyPolicy policy = {}) {
  CallKey key;
  EXPECT_TRUE(appendRecord(value, policy, key));
  std::vector<ValueSpec> specs = readRecords(key.words());
  EXPECT_EQ(specs.size(), 1u);
  return specs.empty() ? ValueSpec{.kind = ValueSpec::Kind::Default} : specs.front();
}

TEST(CallKey, IsReadBackAsTheSpecOfTheCall) {
  for (auto [value, text] : std::vector<std::pair<Value, const char *>>{
           {Value(), "none"},
           {Tensor(), "undef"},
           {tensor({}), "f32[]"},
           {withGrad(tensor({2, 1}, ScalarType::Long)), "i64[2,1]:grad"},
           {integer(-1), "-1"},
           {integer(INT64_MIN), "-9223372036854775808"},
           {1.5, "?float"},
           {true, "true"},
           {"say \"hi\"", R"("say \"hi\"")"},
           {std::string("\0", 1), R"("\x00")"},
           {Tuple{{List{}, Tuple{{tensor({2}), Tensor(), Value()}}}}, "([],(f32[2],undef,none))"},
       })
    EXPECT_EQ(specOf(value).str(), text);
  Keys keys({tensorType, anyType, tensorType});
  CallKey key;
  ASSERT_TRUE(keys.encoder.encode(std::vector<Value>{tensor({2}), integer(3)}, {7, 9}, key));
  EXPECT_EQ(CallSpec{readRecords(key.words())}.str(), "f32[2],3");
}

TEST(CallKey, SpecsTellApartWhatKeysDo) {
  std::vector<Value> values = distinctValues();
  for (size_t i = 0; i < values.size(); ++i)
    for (size_t j = 0; j < values.size(); ++j)
      EXPECT_EQ(specOf(values[i]) == specOf(values[j]), i == j) << specOf(values[i]).str();
}

TEST(CallKey, SymbolicSizesAreReadBackWithNames) {
  KeyPolicy symbolic{.sizes = SizePolicy::Symbolic};
  EXPECT_EQ(specOf(List{{tensor({2, 1, 8}), tensor({0, 5})}}, symbolic).str(),
            "[f32[s0,1,s1],f32[0,s2]]");
  EXPECT_EQ(specOf(tensor({1, 0}), symbolic), specOf(tensor({1, 0})));
  std::vector<int64_t> many(70, 1);
  many[64] = many[69] = 3;
  ValueSpec spec = specOf(tensor(many), symbolic);
  for (size_t dim = 0; dim < many.size(); ++dim)
    EXPECT_EQ(spec.sizes[dim], many[dim] == 1 ? 1 : ValueSpec::openSize) << dim;
}

TEST(CallKey, DimensionsThatAreNotOpenHaveTheirSizes) {
  CallKeyEncoder encoder =
      *CallKeyEncoder::create({"f", {tensorType, anyType}, {.sizes = SizePolicy::Symbolic}});
  OpenParts open;
  EXPECT_TRUE(open.empty());
  open.insertSize(1, 0);
  open.insertSize(1, 100); // beyond what is noted
  auto read = [&](std::vector<Value> args) {
    CallKey key;
    EXPECT_TRUE(encoder.encode(args, {}, key, &open));
    return CallSpec{readRecords(key.words())}.str();
  };
  // Undefined tensors have no sizes and no number.
  EXPECT_EQ(read({tensor({7, 1}), List{{Tensor(), tensor({5, 8, 0}), tensor({6})}}}),
            "f32[7,1],[undef,f32[s0,8,0],f32[6]]");
  EXPECT_EQ(read({tensor({7, 1}), tensor({1, 8})}), "f32[7,1],f32[1,8]");
  std::vector<int64_t> many(70, 1);
  many[33] = many[69] = 3;
  CallKey key;
  EXPECT_TRUE(encoder.encode(std::vector<Value>{tensor(many)}, {}, key, &open));
  EXPECT_EQ(readRecords(key.words()).front(), specOf(tensor(many)));
}

TEST(CallKey, OpenIntsAreLeftOut) {
  CallKeyEncoder encoder =
      *CallKeyEncoder::create({"f", {scalarType, anyType}, {.sizes = SizePolicy::Symbolic}});
  OpenParts open;
  open.insertInt(1);
  EXPECT_FALSE(open.empty());
  EXPECT_TRUE(open.sizes().empty());
  auto read = [&](std::vector<Value> args) {
    CallKey key;
    EXPECT_TRUE(encoder.encode(args, {}, key, &open));
    return CallSpec{readRecords(key.words())}.str();
  };
  EXPECT_EQ(read({integer(3), List{{true, integer(4), integer(5)}}}), "3,[true,?int,5]");
  EXPECT_EQ(read({1.5, integer(int64_t(1) << 62)}), "?float,4611686018427387904");
}

TEST(CallKey, LayoutsAreReadBack) {
  auto laidOut = [](std::vector<int64_t> sizes, CallerLayout layout) {
    Tensor made = *Tensor::allocate(ScalarType::Float, std::move(sizes));
    made.setCallerLayout(std::move(layout));
    return Value(made);
  };
  auto whole = std::make_shared<const Tensor>(*Tensor::allocate(ScalarType::Float, {9}));
  Value part = laidOut({2, 1}, {.strides = {3, 1}, .whole = whole, .group = 1, .offset = 4});
  Value unknown = laidOut({2}, {.strides = {CallerLayout::unknownStride}});
  for (SizePolicy sizes : {SizePolicy::Static, SizePolicy::Symbolic}) {
    EXPECT_EQ(specOf(part, {sizes, true}).str(), "f32[2,1]:strides[3,1]:part[1,4,9]");
    EXPECT_EQ(specOf(unknown, {sizes, true}).str(), "f32[2]:strides[?]");
  }
  EXPECT_EQ(specOf(part).str(), "f32[2,1]");
}
