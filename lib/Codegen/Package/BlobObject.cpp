//===- BlobObject.cpp - constant bytes as an object file ------------------===//
//
// Written by hand: an assembler copies hundreds of megabytes three times.
//
//===----------------------------------------------------------------------===//
#include "Package/BlobObject.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SwapByteOrder.h"
#include "llvm/Support/raw_ostream.h"

#include <array>
#include <cstring>

using namespace llvm;
using namespace llvm::ELF;
using namespace jit::package;

/// What kind of object `path` is: the head of the file.
static Expected<Elf64_Ehdr> headOf(StringRef path) {
  auto file = MemoryBuffer::getFileSlice(path, sizeof(Elf64_Ehdr), 0);
  if (!file)
    return createStringError("cannot read " + path + ": " + file.getError().message());
  Elf64_Ehdr head = {};
  StringRef bytes = (*file)->getBuffer();
  if (bytes.size() == sizeof head)
    std::memcpy(&head, bytes.data(), sizeof head);
  if (!head.checkMagic() || head.getFileClass() != ELFCLASS64 ||
      head.getDataEncoding() != (sys::IsLittleEndianHost ? ELFDATA2LSB : ELFDATA2MSB))
    return createStringError("expected an ELF object of 64 bits and of this machine's byte order");
  return head;
}

namespace {
enum Section : unsigned { None, Data, Symbols, Names, Stack, SectionCount };

struct Parts {
  Elf64_Ehdr head;
  std::array<Elf64_Sym, 2> symbols;
  std::string names;
  std::array<Elf64_Shdr, SectionCount> sections;
};
} // namespace

static uint32_t addName(std::string &names, StringRef name) {
  auto at = static_cast<uint32_t>(names.size());
  names += name;
  names += '\0';
  return at;
}

static Elf64_Shdr section(uint32_t name, uint32_t type, uint64_t offset, uint64_t size,
                          uint64_t alignment) {
  Elf64_Shdr made = {};
  made.sh_name = name;
  made.sh_type = type;
  made.sh_offset = offset;
  made.sh_size = size;
  made.sh_addralign = alignment;
  return made;
}

/// The blobs lie behind the head, then come symbols, names and the table of sections.
static Parts layOut(Elf64_Ehdr head, StringRef symbol, uint64_t bytes) {
  // Far from code, which may be large: the tables hold full addresses.
  bool isLarge = head.e_machine == EM_X86_64;
  Parts parts = {};
  parts.names.push_back('\0');
  uint32_t symbolName = addName(parts.names, symbol);
  uint32_t dataName = addName(parts.names, isLarge ? ".lrodata" : ".rodata");
  uint32_t symbolsName = addName(parts.names, ".symtab");
  uint32_t namesName = addName(parts.names, ".strtab");
  uint32_t stackName = addName(parts.names, ".note.GNU-stack"); // need not be executable

  parts.symbols[1].st_name = symbolName;
  parts.symbols[1].setBindingAndType(STB_GLOBAL, STT_OBJECT);
  parts.symbols[1].st_other = STV_HIDDEN;
  parts.symbols[1].st_shndx = Data;
  parts.symbols[1].st_size = bytes;

  uint64_t symbolsAt = alignTo(sizeof(Elf64_Ehdr) + bytes, alignof(Elf64_Sym));
  uint64_t namesAt = symbolsAt + sizeof parts.symbols, end = namesAt + parts.names.size();
  auto &sections = parts.sections;
  sections[Data] = section(dataName, SHT_PROGBITS, sizeof(Elf64_Ehdr), bytes, 64);
  sections[Data].sh_flags = SHF_ALLOC | (isLarge ? uint64_t(SHF_X86_64_LARGE) : 0);
  sections[Symbols] = section(symbolsName, SHT_SYMTAB, symbolsAt, sizeof parts.symbols, 8);
  sections[Symbols].sh_link = Names;
  sections[Symbols].sh_info = 1; // the first that is not local
  sections[Symbols].sh_entsize = sizeof(Elf64_Sym);
  sections[Names] = section(namesName, SHT_STRTAB, namesAt, parts.names.size(), 1);
  sections[Stack] = section(stackName, SHT_PROGBITS, end, 0, 1);

  parts.head = head;
  parts.head.e_type = ET_REL;
  parts.head.e_shoff = alignTo(end, alignof(Elf64_Shdr));
  parts.head.e_shnum = SectionCount;
  parts.head.e_shstrndx = Names;
  return parts;
}

template <typename T> static void writeAs(raw_ostream &os, const T &value) {
  os.write(reinterpret_cast<const char *>(&value), sizeof value);
}

llvm::Error jit::package::writeBlobObject(const Blobs &blobs, StringRef symbol, StringRef like,
                                          StringRef path) {
  auto head = headOf(like);
  if (!head)
    return head.takeError();
  Parts parts = layOut(*head, symbol, uint64_t(blobs.fileBytes()));
  return writeFile(path, [&](raw_ostream &os) {
    writeAs(os, parts.head);
    blobs.write(os);
    const Elf64_Shdr &data = parts.sections[Data], &names = parts.sections[Names];
    os.write_zeros(unsigned(parts.sections[Symbols].sh_offset - data.sh_offset - data.sh_size));
    writeAs(os, parts.symbols);
    os << parts.names;
    os.write_zeros(unsigned(parts.head.e_shoff - names.sh_offset - names.sh_size));
    writeAs(os, parts.sections);
  });
}
