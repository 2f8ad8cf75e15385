//===- Device.cpp - streams that are worked on late -----------------------===//
#include "LaunchLog.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

using namespace fake;

static uint64_t seedOf() {
  const char *text = std::getenv("JIT_FAKE_CUDA_SEED");
  return text ? std::strtoull(text, nullptr, 10) : 0;
}

Driver::Driver() {
  if (const char *text = std::getenv("JIT_FAKE_CUDA_FAIL")) {
    std::string spec = text;
    size_t colon = spec.find(':');
    failing = spec.substr(0, colon);
    failingCall = colon == std::string::npos ? 1 : std::strtoull(text + colon + 1, nullptr, 10);
  }
  if (const char *text = std::getenv("JIT_FAKE_CUDA_LEAVE_OUT"))
    leftOut = text;
}

Driver &Driver::get() {
  // Never destroyed: programs call the driver until their very end.
  static auto *driver = new Driver;
  return *driver;
}

Device::Device(int number)
    : number(number), machine(seedOf()), streams({&callersStream}), random(seedOf()) {
  if (const char *text = std::getenv("JIT_FAKE_CUDA_MULTIPROCESSORS"))
    machine.multiprocessors = static_cast<uint32_t>(std::strtoul(text, nullptr, 10));
}

Device &Device::get(int number) {
  static const std::array<Device *, count> devices = {new Device(0), new Device(1)};
  return *devices.at(static_cast<size_t>(number));
}

Device *Device::of(void *context) {
  for (int number = 0; number < count; ++number)
    if (&get(number) == context)
      return &get(number);
  return nullptr;
}

LoadedModule::~LoadedModule() {
  if (module)
    device.machine.unload(*module);
}

void Driver::fail(const std::string &name, size_t call) {
  std::lock_guard lock(mutex);
  failing = name;
  failingCall = call;
  calls.clear();
}

size_t Driver::countCalls() const {
  auto found = calls.find(failing);
  return found == calls.end() ? 0 : found->second;
}

bool Driver::isToFail(const char *name) { return failing == name && ++calls[name] == failingCall; }

int Device::enter(const char *name) {
  if (Driver::get().isToFail(name))
    return Injected;
  return error.empty() ? Success : LaunchFailed;
}

std::string Device::exchange(const std::string &image, size_t &number) {
  number = Driver::get().images++;
  std::string name = "/" + std::to_string(number) + ".ptx";
  if (const char *folder = std::getenv("JIT_FAKE_CUDA_KEEP"))
    std::ofstream(folder + name) << image;
  if (const char *folder = std::getenv("JIT_FAKE_CUDA_IMAGES"))
    if (std::ifstream file(folder + name); file)
      return std::string(std::istreambuf_iterator<char>(file), {});
  return image;
}

void Device::enqueue(Stream &stream, Step step) {
  if (stream.isRecording)
    stream.recorded.push_back(std::move(step));
  else
    stream.queue.push_back(std::move(step));
}

void Device::runOne(Stream &stream) {
  Step step = std::move(stream.queue.front());
  stream.queue.pop_front();
  if (!error.empty())
    return;
  error = step();
  if (!error.empty())
    std::fprintf(stderr, "the stand-in driver: %s\n", error.c_str());
}

int Device::finish(Stream &stream) {
  for (Stream *other : streams)
    if (other != &stream)
      for (uint64_t some = random() % (other->queue.size() + 1); some; --some)
        runOne(*other);
  while (!stream.queue.empty())
    runOne(stream);
  return error.empty() ? Success : LaunchFailed;
}

int Device::launch(Stream &stream, Function &function, ptx::Launch launch, void **arguments) {
  if (launch.dynamicShared > function.mostShared)
    return InvalidValue;
  uint32_t resident = ptx::residentBlocks(*function.owner->module, launch);
  if (launch.isCooperative && launch.blocks() > resident * machine.multiprocessors)
    return CooperativeLaunchTooLarge;
  launch.parameters.resize(function.function->parameterBytes);
  size_t number = 0;
  for (const ptx::Variable &parameter : function.function->parameters)
    std::memcpy(launch.parameters.data() + parameter.address, arguments[number++], parameter.bytes);
  enqueue(stream, [this, owner = function.owner, entry = function.function, launch] {
    if (LaunchLog *log = LaunchLog::get())
      return log->add(machine, *owner, *entry, launch);
    return machine.launch(*owner->module, *entry, launch);
  });
  return Success;
}

/// twice(to, from, n): to[i] = 2 * from[i] for the threads of one block; words(to, map): what is in
/// a map of 128 bytes.
const char *const fake::builtInKernels = R"(.version 7.0
.target sm_80
.address_size 64
.visible .entry twice(.param .u64 twice_to, .param .u64 twice_from, .param .u32 twice_n)
{
	.reg .pred %p<1>;
	.reg .b32 %r<4>;
	.reg .b64 %rd<7>;
	ld.param.b64 %rd0, [twice_to];
	ld.param.b64 %rd1, [twice_from];
	ld.param.b32 %r0, [twice_n];
	mov.u32 %r1, %tid.x;
	setp.ge.s32 %p0, %r1, %r0;
	@%p0 bra done;
	cvta.to.global.u64 %rd2, %rd0;
	cvta.to.global.u64 %rd3, %rd1;
	mul.wide.s32 %rd4, %r1, 4;
	add.s64 %rd5, %rd2, %rd4;
	add.s64 %rd6, %rd3, %rd4;
	ld.global.b32 %r2, [%rd6];
	add.rn.f32 %r3, %r2, %r2;
	st.global.b32 [%rd5], %r3;
done:
	ret;
}
.visible .entry words(.param .u64 words_to, .param .align 64 .b8 words_map[128])
{
	.reg .pred %p<1>;
	.reg .b32 %r<1>;
	.reg .b64 %rd<18>;
	mov.u32 %r0, %tid.x;
	setp.ne.s32 %p0, %r0, 0;
	@%p0 bra done;
	ld.param.b64 %rd16, [words_to];
	cvta.to.global.u64 %rd17, %rd16;
	ld.param.v2.b64 {%rd0, %rd1}, [words_map];
	ld.param.v2.b64 {%rd2, %rd3}, [words_map+16];
	ld.param.v2.b64 {%rd4, %rd5}, [words_map+32];
	ld.param.v2.b64 {%rd6, %rd7}, [words_map+48];
	ld.param.v2.b64 {%rd8, %rd9}, [words_map+64];
	ld.param.v2.b64 {%rd10, %rd11}, [words_map+80];
	ld.param.v2.b64 {%rd12, %rd13}, [words_map+96];
	ld.param.v2.b64 {%rd14, %rd15}, [words_map+112];
	st.global.v2.b64 [%rd17], {%rd0, %rd1};
	st.global.v2.b64 [%rd17+16], {%rd2, %rd3};
	st.global.v2.b64 [%rd17+32], {%rd4, %rd5};
	st.global.v2.b64 [%rd17+48], {%rd6, %rd7};
	st.global.v2.b64 [%rd17+64], {%rd8, %rd9};
	st.global.v2.b64 [%rd17+80], {%rd10, %rd11};
	st.global.v2.b64 [%rd17+96], {%rd12, %rd13};
	st.global.v2.b64 [%rd17+112], {%rd14, %rd15};
done:
	ret;
}
)";
