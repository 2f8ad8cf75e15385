//===- BlobObject.cpp - constant bytes as an object file ------------------===//
//
// Written by hand: an assembler copies hundreds of megabytes three times.
//
//===----------------------------------------------------------------------===//
#include "BlobObject.h"

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

/// The blobs lie behind the head, then come symbols, names and the table of sections.
static Parts layOut(Elf64_Ehdr head, StringRef symbol, uint64_t bytes) {
  Parts parts = {};
  parts.names.push_back('\0');
  parts.symbols[1].st_name = addName(parts.names, symbol);
  parts.symbols[1].setBindingAndType(STB_GLOBAL, STT_OBJECT);
  parts.symbols[1].st_other = STV_HIDDEN;
  parts.symbols[1].st_shndx = Data;
  parts.symbols[1].st_size = bytes;

  // Far from code, which may be large: the tables hold full addresses.
  bool isLarge = head.e_machine == EM_X86_64;
  Elf64_Shdr &data = parts.sections[Data];
  data.sh_name = addName(parts.names, isLarge ? ".lrodata" : ".rodata");
  data.sh_type = SHT_PROGBITS;
  data.sh_flags = SHF_ALLOC | (isLarge ? uint64_t(SHF_X86_64_LARGE) : 0);
  data.sh_offset = sizeof(Elf64_Ehdr);
  data.sh_size = bytes;
  data.sh_addralign = 64;

  Elf64_Shdr &symbols = parts.sections[Symbols];
  symbols.sh_name = addName(parts.names, ".symtab");
  symbols.sh_type = SHT_SYMTAB;
  symbols.sh_offset = alignTo(data.sh_offset + bytes, alignof(Elf64_Sym));
  symbols.sh_size = sizeof parts.symbols;
  symbols.sh_link = Names;
  symbols.sh_info = 1; // the first that is not local
  symbols.sh_addralign = alignof(Elf64_Sym);
  symbols.sh_entsize = sizeof(Elf64_Sym);

  Elf64_Shdr &names = parts.sections[Names];
  names.sh_name = addName(parts.names, ".strtab");
  parts.sections[Stack].sh_name = addName(parts.names, ".note.GNU-stack"); // need not be executable
  names.sh_type = SHT_STRTAB;
  names.sh_offset = symbols.sh_offset + symbols.sh_size;
  names.sh_size = parts.names.size();
  names.sh_addralign = 1;
  parts.sections[Stack].sh_type = SHT_PROGBITS;
  parts.sections[Stack].sh_offset = names.sh_offset;
  parts.sections[Stack].sh_addralign = 1;

  head.e_type = ET_REL;
  head.e_shoff = alignTo(names.sh_offset + names.sh_size, alignof(Elf64_Shdr));
  head.e_shnum = SectionCount;
  head.e_shstrndx = Names;
  parts.head = head;
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
