// One thread at a time works on what a mutex guards, in the order of their locks. Who waits lets Python go on, so that
// a thread may hold the lock and wait for Python.
#pragma once

#include <nanobind/nanobind.h>

#include <mutex>

namespace afterwit {

class Alone {
 public:
  explicit Alone(std::mutex& mutex) : lock_(mutex, std::try_to_lock) {
    if (lock_.owns_lock()) return;
    nanobind::gil_scoped_release unlocked;
    lock_.lock();
  }

 private:
  std::unique_lock<std::mutex> lock_;
};

}  // namespace afterwit
