//===- Device.h - the stand-in driver's device ------------------*- C++ -*-===//
#ifndef JIT_UNITTESTS_CUDA_DRIVER_DEVICE_H
#define JIT_UNITTESTS_CUDA_DRIVER_DEVICE_H

#include "Machine.h"

#include <deque>
#include <functional>
#include <mutex>
#include <random>
#include <set>

namespace fake {

enum Code {
  Success = 0,
  InvalidValue = 1,
  OutOfMemory = 2,
  InvalidDevice = 101,
  NoContext = 201,
  NoBinary = 209,
  NotFound = 500,
  LaunchFailed = 719,
  CooperativeLaunchTooLarge = 720,
  CaptureUnsupported = 900,
  Injected = 999
};

/// Something that the device does later; the error, or nothing.
using Step = std::function<std::string()>;
using Work = std::vector<Step>;

struct Stream {
  std::deque<Step> queue;
  bool isRecording = false;
  Work recorded;
};

class Device;

struct LoadedModule {
  explicit LoadedModule(Device &device) : device(device) {}
  ~LoadedModule();
  LoadedModule(const LoadedModule &) = delete;
  LoadedModule &operator=(const LoadedModule &) = delete;

  Device &device;
  std::unique_ptr<ptx::Module> module;
  /// The number of its text among those that were loaded.
  size_t image = 0;
};

struct Function {
  std::shared_ptr<LoadedModule> owner;
  const ptx::Function *function;
  /// What cuFuncSetAttribute allows; more than 48 KB has to be asked for.
  size_t mostShared = size_t(48) * 1024;
};

/// What all devices share.
struct Driver {
  static Driver &get();

  /// JIT_FAKE_CUDA_FAIL=name:3 lets the third call of that function fail.
  bool isToFail(const char *name);
  /// JIT_FAKE_CUDA_LEAVE_OUT=name: as if the program did not call that function.
  bool isLeftOut(const char *name) const { return name == leftOut; }
  void fail(const std::string &name, size_t call);
  /// How often a function that is to fail has been called.
  size_t countCalls() const;

  std::recursive_mutex mutex;
  /// Memory of the host that the driver has made, for all contexts.
  std::map<void *, size_t> pinned;
  size_t graphLaunches = 0, waits = 0, hostCopies = 0, pinnedCopies = 0, images = 0;

private:
  Driver();

  std::map<std::string, size_t> calls;
  std::string failing, leftOut;
  size_t failingCall = 0;
};

/// A device, which is its primary context too. The first has the capability 9.0, the second 8.0.
/// JIT_FAKE_CUDA_SEED chooses the order of what may be done in any,
/// JIT_FAKE_CUDA_MULTIPROCESSORS is how many a device has.
class Device {
public:
  static constexpr int count = 2;
  static Device &get(int number);
  /// Whose context it is; null for another one.
  static Device *of(void *context);

  /// Does `step` in its turn, or keeps it where the stream records.
  void enqueue(Stream &stream, Step step);
  /// Does what the stream has to do; some of what others have to do, before or not at all.
  int finish(Stream &stream);
  /// A kernel's parameters as its PTX says.
  int launch(Stream &stream, Function &function, ptx::Launch launch, void **arguments);
  /// The text that an image is replaced by, and its number: JIT_FAKE_CUDA_KEEP is a folder that
  /// images are written to, as 0.ptx, 1.ptx and so on, JIT_FAKE_CUDA_IMAGES one whose files take
  /// their place.
  static std::string exchange(const std::string &image, size_t &number);
  /// All calls after an error of a kernel fail.
  int enter(const char *name);

  const int number;
  ptx::Machine machine;
  /// Of a kernel that failed, which no context survives.
  std::string error;
  std::set<Stream *> streams;
  Stream callersStream;
  std::set<Work *> graphs;
  std::map<void *, std::shared_ptr<LoadedModule>> modules;
  std::deque<Function> functions;

private:
  explicit Device(int number);
  void runOne(Stream &stream);

  std::mt19937_64 random;
};

/// The text behind the image "kernels", of kernels that the tests of calls start.
extern const char *const builtInKernels;

} // namespace fake

#endif // JIT_UNITTESTS_CUDA_DRIVER_DEVICE_H
