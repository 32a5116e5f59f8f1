// One thread at a time works on what a lock guards, in the order of their coming. Who waits lets Python go on, so that
// a thread may hold the lock and wait for Python. Whoever takes or gives back a lock holds Python's own (the GIL).
#pragma once

#include <nanobind/nanobind.h>

#include <mutex>
#include <optional>

namespace afterwit {

struct Lock {
  std::mutex mutex;
  bool held = false;  // read and written only by who holds the GIL
};

class Alone {
 public:
  explicit Alone(Lock& lock) : lock_(lock), mutex_(lock.mutex, std::try_to_lock) {
    if (!mutex_.owns_lock()) {
      nanobind::gil_scoped_release unlocked;
      mutex_.lock();
    }
    lock_.held = true;
  }
  ~Alone() { lock_.held = false; }
  Alone(const Alone&) = delete;
  Alone& operator=(const Alone&) = delete;

 private:
  Lock& lock_;
  std::unique_lock<std::mutex> mutex_;
};

// The same for who keeps the GIL until it is done: nobody can come in meanwhile, so it is enough that nobody is in. An
// atomic instruction would wait for all that was written before, and so for the whole of a short update.
class AloneBriefly {
 public:
  explicit AloneBriefly(Lock& lock) {
#if !defined(NB_FREE_THREADED)
    if (!lock.held) return;
#endif
    alone_.emplace(lock);
  }

 private:
  std::optional<Alone> alone_;
};

}  // namespace afterwit
