//===- VariantCache.h - compiled variants by key ----------------*- C++ -*-===//
//
// Knows nothing of what a variant is or how it is compiled. Any number of threads may use a cache.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_RUNTIME_VARIANTCACHE_H
#define JIT_RUNTIME_VARIANTCACHE_H

#include "jit/OutOfMemory.h"
#include "jit/Runtime/CacheStatistics.h"
#include "jit/Runtime/CallKey.h"

#include <condition_variable>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace jit::runtime {

struct CachePolicy {
  enum class WhenFull {
    Evict,   ///< the variant unused for longest goes
    Generic, ///< calls of further keys share the generic variant
  };

  /// Variants kept, the generic one not counted; 0 is taken as 1.
  size_t maxVariants = 64;
  WhenFull whenFull = WhenFull::Evict;
};

template <typename Variant> class VariantCache {
public:
  /// Keeps a variant alive, evicted or not.
  using Handle = std::shared_ptr<Variant>;
  using Compile = std::function<Result<Handle>()>;

  /// `generic` makes the variant that runs calls of every key, when first needed; it is required
  /// by the policy that uses it.
  explicit VariantCache(CachePolicy policy = {}, Compile generic = {})
      : policy(policy), generic(std::move(generic)) {
    assert((policy.whenFull == CachePolicy::WhenFull::Evict || this->generic) &&
           "expected a way to make the generic variant");
    this->policy.maxVariants = std::max<size_t>(policy.maxVariants, 1);
  }

  /// The variant of a key. Where there is none, `compile`, which takes nothing and gives a
  /// Result<Handle>, makes it: without a lock, so that other keys are served meanwhile, and once,
  /// while other threads that ask for the same key wait. It must neither give null nor ask the
  /// cache for its own key, and throw nothing but what says that memory is exhausted. An error
  /// goes to all who waited and is not kept: it may have been a matter of the moment, and the next
  /// call tries again.
  template <typename CompileFn> Result<Handle> get(CallKeyRef key, const CompileFn &compile) {
    std::unique_lock<std::mutex> lock(mutex);
    auto found = table.find(key);
    bool fallBack = found == table.end() && isClosed();
    if (fallBack)
      found = table.find(genericKey);
    auto &count = fallBack                 ? counts.generic
                  : found == table.end()   ? counts.misses
                  : found->second->variant ? counts.hits
                                           : counts.waits;
    ++count;
    if (found == table.end())
      return fallBack ? make(genericKey, generic, lock) : make(key, compile, lock);
    Entry &entry = *found->second;
    if (!entry.variant)
      return await(entry.flight, lock);
    ready.splice(ready.begin(), ready, found->second);
    return entry.variant;
  }

  /// Gives a key that has a variant another one.
  void replace(CallKeyRef key, Handle variant) {
    std::lock_guard<std::mutex> lock(mutex);
    auto found = table.find(key);
    if (found != table.end() && found->second->variant)
      found->second->variant.swap(variant); // the old one is freed without the lock
  }

  /// Whether as many variants are there as are kept.
  bool isFull() const {
    std::lock_guard<std::mutex> lock(mutex);
    return ready.size() >= policy.maxVariants;
  }

  CacheStatistics statistics() const {
    std::lock_guard<std::mutex> lock(mutex);
    return counts;
  }

private:
  /// A compilation that is going on: what it gives, for those who wait.
  struct Flight {
    std::condition_variable landed;
    std::optional<Result<Handle>> outcome;
  };

  struct Entry {
    explicit Entry(CallKeyRef key) : words(key.words.begin(), key.words.end()), hash(key.hash) {}
    CallKeyRef ref() const { return {words, hash}; }

    std::vector<uint64_t> words;
    uint64_t hash;
    Handle variant; // null while it is being compiled
    std::shared_ptr<Flight> flight = std::make_shared<Flight>();
  };
  using Entries = std::list<Entry>;

  struct Hash {
    size_t operator()(const CallKeyRef &key) const noexcept { return key.hash; }
  };

  /// No call's key: those are never empty.
  static constexpr CallKeyRef genericKey = {};

  /// Whether new keys are sent to the generic variant.
  bool isClosed() const {
    return policy.whenFull == CachePolicy::WhenFull::Generic &&
           table.size() - table.count(genericKey) >= policy.maxVariants;
  }

  template <typename CompileFn>
  Result<Handle> make(CallKeyRef key, const CompileFn &compile,
                      std::unique_lock<std::mutex> &lock) {
    auto entry = pending.emplace(pending.end(), key);
    try {
      table.emplace(entry->ref(), entry);
    } catch (...) {
      pending.erase(entry);
      throw;
    }
    lock.unlock();
    // Others wait for an outcome, whatever becomes of this.
    Result<Handle> made = orOutOfMemory([&]() -> Result<Handle> { return compile(); });
    Entries dropped; // freed without the lock: a variant may be much to free
    lock.lock();
    std::shared_ptr<Flight> flight = std::move(entry->flight);
    if (made)
      keep(entry, *made, dropped);
    else
      drop(pending, entry, dropped);
    ++(made ? counts.compiles : counts.failures);
    flight->outcome = orOutOfMemory([&] { return made; });
    lock.unlock();
    flight->landed.notify_all();
    return made;
  }

  static Result<Handle> await(std::shared_ptr<Flight> flight, std::unique_lock<std::mutex> &lock) {
    flight->landed.wait(lock, [&] { return flight->outcome.has_value(); });
    return *flight->outcome;
  }

  void keep(typename Entries::iterator entry, const Handle &variant, Entries &dropped) {
    assert(variant && "expected a variant or an error");
    entry->variant = variant;
    ready.splice(ready.begin(), pending, entry);
    if (policy.whenFull != CachePolicy::WhenFull::Evict || ready.size() <= policy.maxVariants)
      return;
    drop(ready, std::prev(ready.end()), dropped);
    ++counts.evictions;
  }

  void drop(Entries &from, typename Entries::iterator entry, Entries &dropped) {
    table.erase(entry->ref());
    dropped.splice(dropped.end(), from, entry);
  }

  CachePolicy policy;
  Compile generic;
  mutable std::mutex mutex;
  CacheStatistics counts;
  /// What can be used, last used first; and what is being compiled.
  Entries ready, pending;
  /// The keys' words are the entries'.
  std::unordered_map<CallKeyRef, typename Entries::iterator, Hash> table;
};

} // namespace jit::runtime

#endif // JIT_RUNTIME_VARIANTCACHE_H
