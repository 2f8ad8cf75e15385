//===- PickleOpcode.h - the instructions of a pickle ------------*- C++ -*-===//
//
// Those of protocols 2 to 5 that binary picklers write. What extends Python (EXT) or was text only
// is missing on purpose.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_LIB_ARCHIVE_PICKLEOPCODE_H
#define JIT_LIB_ARCHIVE_PICKLEOPCODE_H

#include <array>
#include <cstdint>

namespace jit::pickle {

enum Opcode : uint8_t {
  Mark = '(',
  Stop = '.',
  Pop = '0',
  PopMark = '1',
  Dup = '2',
  BinInt = 'J',
  BinInt1 = 'K',
  BinInt2 = 'M',
  NoneValue = 'N',
  BinPersId = 'Q',
  Reduce = 'R',
  BinString = 'T',
  ShortBinString = 'U',
  BinUnicode = 'X',
  Append = 'a',
  Build = 'b',
  Global = 'c',
  DictFromMark = 'd',
  EmptyDict = '}',
  Appends = 'e',
  BinGet = 'h',
  LongBinGet = 'j',
  ListFromMark = 'l',
  EmptyList = ']',
  BinPut = 'q',
  LongBinPut = 'r',
  SetItem = 's',
  TupleFromMark = 't',
  EmptyTuple = ')',
  SetItems = 'u',
  BinFloat = 'G',
  BinBytes = 'B',
  ShortBinBytes = 'C',
  Proto = 0x80,
  NewObj = 0x81,
  Tuple1 = 0x85,
  Tuple2 = 0x86,
  Tuple3 = 0x87,
  NewTrue = 0x88,
  NewFalse = 0x89,
  Long1 = 0x8a,
  Long4 = 0x8b,
  ShortBinUnicode = 0x8c,
  BinUnicode8 = 0x8d,
  BinBytes8 = 0x8e,
  EmptySet = 0x8f,
  AddItems = 0x90,
  FrozenSet = 0x91,
  NewObjEx = 0x92,
  StackGlobal = 0x93,
  Memoize = 0x94,
  Frame = 0x95,
  ByteArray8 = 0x96,
};

/// What an instruction is about; PickleReader has one function for each.
enum class Group : uint8_t { Unknown, Control, Scalar, Text, Container, Call, Memo };

constexpr std::array<Group, 256> groups = [] {
  std::array<Group, 256> table{};
  for (Opcode op : {Mark, Stop, Pop, PopMark, Dup, Proto, Frame})
    table[op] = Group::Control;
  for (Opcode op : {NoneValue, NewTrue, NewFalse, BinInt, BinInt1, BinInt2, Long1, Long4, BinFloat})
    table[op] = Group::Scalar;
  for (Opcode op : {BinString, ShortBinString, BinUnicode, ShortBinUnicode, BinUnicode8, BinBytes,
                    ShortBinBytes, BinBytes8, ByteArray8, Global, StackGlobal})
    table[op] = Group::Text;
  for (Opcode op :
       {EmptyTuple, EmptyList, EmptyDict, EmptySet, Tuple1, Tuple2, Tuple3, TupleFromMark,
        ListFromMark, DictFromMark, FrozenSet, Append, Appends, SetItem, SetItems, AddItems})
    table[op] = Group::Container;
  for (Opcode op : {Reduce, NewObj, NewObjEx, Build, BinPersId})
    table[op] = Group::Call;
  for (Opcode op : {BinGet, LongBinGet, BinPut, LongBinPut, Memoize})
    table[op] = Group::Memo;
  return table;
}();

} // namespace jit::pickle

#endif // JIT_LIB_ARCHIVE_PICKLEOPCODE_H
