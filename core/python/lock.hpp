// One thread at a time works on what a lock guards, in the order of their coming. Who waits lets Python go on, so that
// a thread may hold the lock and wait for Python. Whoever takes or gives back a lock holds Python's own (the GIL).
//
// A fork copies one thread alone. In the child a lock is as fresh as ever, unless another thread held it: what it
// guards may be half changed there, and to take it is an error for ever.
#pragma once

#include <nanobind/nanobind.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>

namespace afterwit {

inline std::uint64_t forks = 0;  // between this process and the first; counted by who starts a child

// A number of this thread alone: the system gives that of a thread that has ended to another one.
inline std::uint64_t this_thread() {
  static std::atomic<std::uint64_t> last{0};
  thread_local const std::uint64_t own = ++last;
  return own;
}

// Lets Python go on, and at its end waits for Python. When the process ends meanwhile, Python before 3.14 ends a thread
// that waits by unwinding it, which nothing between here and there allows: it stays here for ever, as it does since.
class WithoutGil {
 public:
  WithoutGil() : thread_(PyEval_SaveThread()) {}
  ~WithoutGil() {
    try {
      PyEval_RestoreThread(thread_);
    } catch (...) {
      for (;;) pause();
    }
  }
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;

 private:
  PyThreadState* thread_;
};

class Lock {
 public:
  bool held() const { return owner_ != nobody; }
  bool nested() const { return depth_ > 1; }

  // Not inlined, as a short call most often has no need of it.
  __attribute__((noinline)) void take(bool nests) {
    if (forks_ != forks) outlive_fork();
    const std::uint64_t me = this_thread();
    if (owner_ == me) {
      if (!nests) refuse_nested();
    } else if (!mutex_->try_lock()) {
      const WithoutGil unlocked;
      mutex_->lock();
    }
    owner_ = me;
    ++depth_;
  }

  __attribute__((noinline)) void give() {
    if (--depth_ > 0) return;
    owner_ = nobody;
    mutex_->unlock();
  }

  [[noreturn]] static void refuse_nested() {
    throw std::runtime_error(
        "it was called from within another call on it, by a value or a row that it was given; let that call end first");
  }

 private:
  static constexpr std::uint64_t nobody = 0;

  void outlive_fork() {
    if (held() && owner_ != this_thread())
      throw std::runtime_error(
          "another thread was using it when this process was forked, so that it may be half changed here; fork while "
          "nobody uses it, or use a copy that was saved or pickled before");
    if (!held()) mutex_ = std::make_unique<std::mutex>();  // a thread may have been about to hold it
    forks_ = forks;
  }

  std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();
  std::uint64_t owner_ = nobody, depth_ = 0, forks_ = forks;  // read and written only by who holds the GIL
};

class Locked {
 public:
  explicit Locked(Lock& lock) : lock_(lock) { lock.take(false); }
  ~Locked() { lock_.give(); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  Lock& lock_;
};

// The same for who keeps the GIL until it is done: nobody can come in meanwhile, so it is enough that nobody is in. An
// atomic instruction would wait for all that was written before, and so for the whole of a short update.
class LockedBriefly {
 public:
  explicit LockedBriefly(Lock& lock) {
#if !defined(NB_FREE_THREADED)
    if (!lock.held()) return;
#endif
    alone_.emplace(lock);
  }

 private:
  std::optional<Locked> alone_;
};

}  // namespace afterwit
