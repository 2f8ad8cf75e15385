//===- Warp.cpp - lanes that go their ways and meet again -----------------===//
#include "Block.h"

#include <bit>
#include <cstring>

using namespace ptx;

static constexpr uint64_t poison = 0x7ffb7ffb7ffb7ffb;
/// What racing reads give, of up to 128 bytes.
static uint64_t undefinedWords[16] = {poison, poison, poison, poison, poison, poison,
                                      poison, poison, poison, poison, poison, poison,
                                      poison, poison, poison, poison};
static uint8_t *const undefined = reinterpret_cast<uint8_t *>(undefinedWords);

Warp::Warp(Block &block, uint32_t number, uint32_t threads)
    : block(block), number(number),
      all(threads >= warpSize ? ~Lanes(0) : (Lanes(1) << threads) - 1), live(all),
      slots(static_cast<size_t>(block.function.slots) * warpSize, poison),
      local(block.function.localBytes * warpSize, 0xfb) {
  if (block.function.hasWarpgroups) {
    products.underWay.resize(static_cast<size_t>(block.function.slots));
    products.isUnfenced.resize(static_cast<size_t>(block.function.slots));
  }
  setSlots();
}

void Warp::setSlots() {
  const Function &function = block.function;
  for (const Constant &constant : function.constants)
    std::fill_n(slot(constant.slot), warpSize, constant.bits);
  for (auto [number, variable] : function.symbols)
    std::fill_n(slot(number), warpSize, variable->address);
  const auto &size = block.launch.block;
  for (auto [number, which] : function.specials)
    for (int lane = 0; lane < warpSize; ++lane) {
      uint32_t id = thread(lane);
      uint64_t values[] = {id % size[0],
                           id / size[0] % size[1],
                           id / size[0] / size[1],
                           size[0],
                           size[1],
                           size[2],
                           block.place[0],
                           block.place[1],
                           block.place[2],
                           block.launch.grid[0],
                           block.launch.grid[1],
                           block.launch.grid[2],
                           static_cast<uint64_t>(lane),
                           this->number};
      slot(number)[lane] = values[static_cast<size_t>(which)];
    }
}

Clock &Warp::clock(int lane) { return block.agents[thread(lane)]; }

std::string Warp::describe(const Instruction &i, int lane, const std::string &what) const {
  return block.function.name + ", line " + std::to_string(i.line) + ", " + i.opcode + ", thread " +
         std::to_string(thread(lane)) + " of block " + std::to_string(block.number) + ": " + what;
}

void Warp::fail(const Instruction &i, int lane, const std::string &what) {
  block.fail(describe(i, lane, what));
}

uint64_t Warp::address(const Instruction &i, size_t number, int lane) {
  const Operand &operand = i.operands[number];
  uint64_t base = operand.base >= 0  ? slot(operand.base)[lane]
                  : operand.variable ? operand.variable->address
                                     : 0;
  return base + static_cast<uint64_t>(operand.offset);
}

uint8_t *Warp::reach(const Instruction &i, int lane, Space space, uint64_t address, size_t bytes,
                     Access access) {
  return reachAs(i, clock(lane), lane, space, address, bytes, access);
}

static std::string place(uint64_t address, size_t bytes) {
  char text[64];
  std::snprintf(text, sizeof text, "%zu bytes at 0x%llx", bytes,
                static_cast<unsigned long long>(address));
  return text;
}

/// The space that a generic address lies in, and the address there.
static Space resolve(Space space, uint64_t &address) {
  if (space != Space::Generic)
    return space == Space::Const ? Space::Global : space;
  uint64_t window = address & windowMask;
  address = window ? address & ~windowMask : address;
  return window == sharedWindow  ? Space::Shared
         : window == localWindow ? Space::Local
         : window == paramWindow ? Space::Param
                                 : Space::Global;
}

uint8_t *Warp::reachAs(const Instruction &i, Clock &clock, int lane, Space space, uint64_t address,
                       size_t bytes, Access access) {
  space = resolve(space, address);
  // Addresses of the small spaces are 32 bits wide.
  auto inside = [&](uint64_t size) { return address <= size && bytes <= size - address; };
  uint8_t *data = nullptr;
  Race race;
  uint64_t base = 0;
  if (address % bytes != 0) {
    fail(i, lane, "expected an aligned address, got " + place(address, bytes));
    return nullptr;
  }
  if (space == Space::Shared && inside(block.shared.size())) {
    data = block.shared.data() + address;
    base = sharedWindow;
    if (!block.machine.counter)
      race = block.sharedLog.note(address, bytes, access, clock, block.number, block.launchNumber,
                                  /*keepsReaders=*/true);
  } else if (space == Space::Local && inside(block.function.localBytes)) {
    data = local.data() + static_cast<size_t>(lane) * block.function.localBytes + address;
  } else if (space == Space::Param && inside(block.launch.parameters.size()) &&
             access != Access::Write) {
    data = const_cast<uint8_t *>(block.launch.parameters.data()) + address;
  } else if (space == Space::Global) {
    if (Allocation *found = block.machine.memory.find(address, bytes)) {
      data = reinterpret_cast<uint8_t *>(address);
      base = found->address();
      if (!block.machine.counter && isWriting(access))
        found->keep();
      if (!block.machine.counter)
        race = found->log().note(address - found->address(), bytes, access, clock, block.number,
                                 block.launchNumber, block.machine.races.keepsReaders);
    }
  }
  if (!data)
    fail(i, lane, "expected memory that is there, got " + place(address, bytes));
  else if (race.needsReaders)
    block.machine.races.needsReaders = true, fail(i, lane, "readers that are not known");
  else if (race && race.reads.empty())
    fail(i, lane, race.text + ", " + place(address, bytes));
  else if (race)
    noteRace(i, lane, base, race);
  if (block.hasFailed())
    return nullptr;
  if (isWriting(access) && access != Access::Atomic)
    block.machine.goOn();
  bool isRead = access == Access::Read || access == Access::AtomicRead ||
                access == Access::ReadOnlyPath || access == Access::AsyncRead;
  uint64_t start = space == Space::Shared ? address | sharedWindow : address;
  return isRead && isUndefined({block.number, clock.agent, clock.time, start}, bytes) ? undefined
                                                                                      : data;
}

/// What its reads give is found out by another run.
void Warp::noteRace(const Instruction &i, int lane, uint64_t base, Race &race) {
  auto &races = block.machine.races;
  if (races.isReplaying)
    return;
  for (ReadMark &read : race.reads) {
    read.address += base;
    races.reads.insert(read);
  }
  if (races.text.empty())
    races.text = describe(i, lane, race.text + ", and what is read counts");
}

bool Warp::isUndefined(const ReadMark &read, size_t bytes) const {
  const auto &races = block.machine.races;
  if (!races.isReplaying)
    return false;
  auto found = races.reads.lower_bound(read);
  return found != races.reads.end() && found->block == read.block && found->agent == read.agent &&
         found->time == read.time && found->address < read.address + bytes;
}

void Warp::exit(Lanes lanes) {
  live &= ~lanes;
  block.machine.goOn();
  block.leave(lanes);
}

void Warp::look(const Instruction &i, int lane) {
  hasLooked = true;
  if (!block.machine.isStuck())
    return;
  fail(i, lane, "expected threads that go on, got those that run looking for what does not come");
}

void Warp::poll(Lanes lanes) {
  polling |= lanes;
  isFruitless = true;
  separate();
  for (Lanes rest = lanes; rest; rest &= rest - 1)
    --places[static_cast<size_t>(std::countr_zero(rest))];
}

Lanes Warp::guarded(const Instruction &i, Lanes lanes) {
  if (i.guard < 0)
    return lanes;
  const uint64_t *predicate = slot(i.guard);
  Lanes taken = 0;
  for (int lane = 0; lane < warpSize; ++lane)
    taken |= Lanes((predicate[lane] != 0) != i.isGuardNegated) << lane;
  return taken & lanes;
}

Lanes Warp::gather(const Instruction &i, Lanes lanes, uint32_t place) {
  Lanes required = live;
  int first = std::countr_zero(lanes);
  if (i.meeting == Instruction::Meeting::All)
    required = ~Lanes(0);
  if (i.meeting == Instruction::Meeting::Mask) {
    const uint64_t *masks = operand(i, i.maskOperand);
    required = static_cast<Lanes>(masks[first]);
    for (int lane = 0; lane < warpSize; ++lane)
      if ((lanes >> lane & 1) && static_cast<Lanes>(masks[lane]) != required)
        lanes &= ~(Lanes(1) << lane);
    if (!(required >> first & 1))
      return fail(i, first, "expected a mask with the lane itself"), Lanes(0);
  }
  if (required & ~live)
    return fail(i, first, "expected lanes that have not ended"), Lanes(0);
  parked |= lanes;
  Lanes here = 0;
  for (int lane = 0; lane < warpSize; ++lane)
    here |= Lanes((parked >> lane & 1) && places[static_cast<size_t>(lane)] == place) << lane;
  if (required & ~here)
    return 0;
  parked &= ~required;
  return required;
}

/// What the manual forbids while products are under way: touching what they add to, and starting
/// one with registers that were written after the fence.
void Warp::watchRegisters(const Instruction &i, Lanes lanes) {
  bool isProduct = i.opcode.starts_with("wgmma.mma_async");
  auto check = [&](int number) {
    if (products.underWay[static_cast<size_t>(number)] != 0 && !isProduct)
      fail(i, std::countr_zero(lanes), "expected registers of no product that is under way");
    if (isProduct && products.isUnfenced[static_cast<size_t>(number)])
      fail(i, std::countr_zero(lanes), "expected a wgmma.fence after registers were written");
  };
  for (size_t at = 0; at < i.operands.size(); ++at) {
    const Operand &operand = i.operands[at];
    bool isAccumulator = isProduct && operand.slots.size() > 1;
    if (!isProduct || isAccumulator)
      for (int number : operand.slots)
        check(number);
    if (at == 0 && !isProduct)
      for (int number : operand.slots)
        products.isUnfenced[static_cast<size_t>(number)] = true;
  }
}

std::string Warp::describeWaiting() const {
  if (!live)
    return {};
  auto first = static_cast<size_t>(std::countr_zero(live));
  const Instruction &i = block.function.code[isTogether ? together : places[first]];
  return i.opcode + " in line " + std::to_string(i.line);
}

void Warp::separate() {
  if (isTogether)
    places.fill(together);
  isTogether = false;
}

void Warp::jump(Lanes lanes, uint32_t target) {
  if (isTogether && lanes == live) {
    together = target;
    return;
  }
  separate();
  for (; lanes; lanes &= lanes - 1)
    places[static_cast<size_t>(std::countr_zero(lanes))] = target;
}

void Warp::advance(Lanes lanes) {
  if (isTogether && lanes == live) {
    ++together;
    return;
  }
  separate();
  for (; lanes; lanes &= lanes - 1)
    ++places[static_cast<size_t>(std::countr_zero(lanes))];
}

/// Of lanes that parted those go first that are farther from the end: where they meet they find
/// the others.
uint32_t Warp::furthest(Lanes ready) const {
  const std::vector<Instruction> &code = block.function.code;
  uint32_t place = places[static_cast<size_t>(std::countr_zero(ready))];
  for (Lanes rest = ready; rest; rest &= rest - 1) {
    uint32_t other = places[static_cast<size_t>(std::countr_zero(rest))];
    if (other == place || other >= code.size())
      continue;
    if (place >= code.size() || code[other].fromEnd > code[place].fromEnd ||
        (code[other].fromEnd == code[place].fromEnd && other < place))
      place = other;
  }
  return place;
}

/// Those of the ready lanes that go first, together where that is all.
Lanes Warp::choose(Lanes ready) {
  if (isTogether && ready == live)
    return ready;
  separate();
  uint32_t place = furthest(ready);
  Lanes lanes = 0;
  for (int lane = 0; lane < warpSize; ++lane)
    lanes |= Lanes(places[static_cast<size_t>(lane)] == place) << lane;
  lanes &= ready;
  isTogether = lanes == live;
  together = place;
  return lanes;
}

/// Whether lanes that are together are all that an instruction waits for.
bool Warp::meetAtOnce(const Instruction &i, Lanes lanes) {
  if (!isTogether || lanes != live)
    return false;
  if (i.meeting == Instruction::Meeting::All)
    return live == ~Lanes(0);
  if (i.meeting != Instruction::Meeting::Mask)
    return true;
  const uint64_t *masks = operand(i, i.maskOperand);
  for (int lane = 0; lane < warpSize; ++lane)
    if ((lanes >> lane & 1) && static_cast<Lanes>(masks[lane]) != lanes)
      return false;
  return true;
}

bool Warp::step() {
  isFruitless = hasLooked = false;
  Lanes ready = live & ~(parked | blocked | polling);
  if (!ready)
    return false;
  Lanes lanes = choose(ready);
  uint32_t place = isTogether ? together : places[static_cast<size_t>(std::countr_zero(lanes))];
  if (place >= block.function.code.size()) {
    block.fail(block.function.name + ": expected an end of the kernel, got the end of its code");
    return false;
  }
  const Instruction &i = block.function.code[place];
  Lanes taken = guarded(i, lanes);
  if (!taken || i.meeting == Instruction::Meeting::None || meetAtOnce(i, taken)) {
    advance(lanes);
  } else {
    separate();
    advance(lanes & ~taken);
    taken = gather(i, taken, place);
    advance(taken);
  }
  if (!taken || block.hasFailed())
    return true;
  if (!products.underWay.empty())
    watchRegisters(i, taken);
  if (block.machine.counter)
    block.machine.counter->issue(*this, i, taken);
  i.run(*this, i, taken);
  return true;
}
