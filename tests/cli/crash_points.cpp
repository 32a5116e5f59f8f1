// Loaded before the C library, this kills the process before its n-th operation that changes a file: n is CRASH_AT, and
// the files are those below the folder CRASH_BELOW. With CRASH_HALF half of what the n-th would write is written first.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

std::string name_of(int descriptor) {
  const std::string link = descriptor == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/" + std::to_string(descriptor);
  char name[PATH_MAX];
  const ssize_t size = readlink(link.c_str(), name, sizeof name);
  return {name, size < 0 ? 0 : static_cast<std::size_t>(size)};
}

std::string name_of(int folder, const char* path) { return *path == '/' ? path : name_of(folder) + "/" + path; }

bool counts(const std::string& name) {
  const char* below = std::getenv("CRASH_BELOW");
  return below && (name + "/").starts_with(std::string(below) + "/");
}

bool is_last(const std::string& name) {
  static std::atomic<long> count{0};
  const char* at = std::getenv("CRASH_AT");
  return at && counts(name) && ++count == std::atol(at);
}

void die() {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

void before(const std::string& name) {
  if (is_last(name)) die();
}

bool writes(int flags) { return (flags & O_ACCMODE) != O_RDONLY || flags & (O_CREAT | O_TRUNC); }

template <typename Function>
Function* next(Function*, const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

// `put` writes so many bytes.
template <typename Put>
ssize_t written(int descriptor, std::size_t size, Put put) {
  if (!is_last(name_of(descriptor))) return put(size);
  if (std::getenv("CRASH_HALF")) put(size / 2);
  die();
  return 0;
}

}  // namespace

#define NEXT(function) next(&function, #function)

extern "C" {

#define OPEN(function)                                  \
  int function(const char* path, int flags, ...) {      \
    va_list rest;                                       \
    va_start(rest, flags);                              \
    const mode_t mode = va_arg(rest, mode_t);           \
    va_end(rest);                                       \
    if (writes(flags)) before(name_of(AT_FDCWD, path)); \
    return NEXT(function)(path, flags, mode);           \
  }
OPEN(open)
OPEN(open64)

#define OPENAT(function)                                       \
  int function(int folder, const char* path, int flags, ...) { \
    va_list rest;                                              \
    va_start(rest, flags);                                     \
    const mode_t mode = va_arg(rest, mode_t);                  \
    va_end(rest);                                              \
    if (writes(flags)) before(name_of(folder, path));          \
    return NEXT(function)(folder, path, flags, mode);          \
  }
OPENAT(openat)
OPENAT(openat64)

int creat(const char* path, mode_t mode) {
  before(name_of(AT_FDCWD, path));
  return NEXT(creat)(path, mode);
}

ssize_t write(int descriptor, const void* bytes, size_t size) {
  return written(descriptor, size, [&](size_t part) { return NEXT(write)(descriptor, bytes, part); });
}

ssize_t writev(int descriptor, const iovec* pieces, int count) {
  return written(descriptor, count, [&](size_t part) { return NEXT(writev)(descriptor, pieces, int(part)); });
}

ssize_t pwrite(int descriptor, const void* bytes, size_t size, off_t at) {
  return written(descriptor, size, [&](size_t part) { return NEXT(pwrite)(descriptor, bytes, part, at); });
}

ssize_t pwrite64(int descriptor, const void* bytes, size_t size, off64_t at) {
  return written(descriptor, size, [&](size_t part) { return NEXT(pwrite64)(descriptor, bytes, part, at); });
}

int ftruncate(int descriptor, off_t size) noexcept {
  before(name_of(descriptor));
  return NEXT(ftruncate)(descriptor, size);
}

int ftruncate64(int descriptor, off64_t size) noexcept {
  before(name_of(descriptor));
  return NEXT(ftruncate64)(descriptor, size);
}

int fsync(int descriptor) {
  before(name_of(descriptor));
  return counts(name_of(descriptor)) ? 0 : NEXT(fsync)(descriptor);  // a kill is no power cut, and this takes long
}

int fdatasync(int descriptor) {
  before(name_of(descriptor));
  return counts(name_of(descriptor)) ? 0 : NEXT(fdatasync)(descriptor);
}

int rename(const char* from, const char* to) noexcept {
  before(name_of(AT_FDCWD, to));
  return NEXT(rename)(from, to);
}

int renameat(int from_folder, const char* from, int folder, const char* to) noexcept {
  before(name_of(folder, to));
  return NEXT(renameat)(from_folder, from, folder, to);
}

int renameat2(int from_folder, const char* from, int folder, const char* to, unsigned flags) noexcept {
  before(name_of(folder, to));
  return NEXT(renameat2)(from_folder, from, folder, to, flags);
}

int link(const char* from, const char* to) noexcept {
  before(name_of(AT_FDCWD, to));
  return NEXT(link)(from, to);
}

int linkat(int from_folder, const char* from, int folder, const char* to, int flags) noexcept {
  before(name_of(folder, to));
  return NEXT(linkat)(from_folder, from, folder, to, flags);
}

int unlink(const char* path) noexcept {
  before(name_of(AT_FDCWD, path));
  return NEXT(unlink)(path);
}

int unlinkat(int folder, const char* path, int flags) noexcept {
  before(name_of(folder, path));
  return NEXT(unlinkat)(folder, path, flags);
}

}  // extern "C"
