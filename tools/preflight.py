"""Says what a machine lacks to build afterwit, and how to get it. Runs on any Python 3, with the standard library alone."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
COMPILERS = ["c++", "g++", "clang++"]  # the order in which CMake looks
CPP20 = """
#include <bit>
#include <concepts>
#include <cstdint>
#include <span>
#include <string>
template <std::unsigned_integral T>
int ones(std::span<const T> values) {
  int sum = 0;
  for (T value : values) sum += std::popcount(value);
  return sum;
}
int main() {
  const std::uint64_t values[] = {1, 3};
  return ones<std::uint64_t>(values) == 3 ? 0 : static_cast<int>(std::string("no").size());
}
"""


def problem(sentence, debian, fedora, macos):
    return "{}\n    Debian, Ubuntu: {}\n    Fedora:         {}\n    macOS:          {}".format(
        sentence, debian, fedora, macos
    )


def oldest_python():
    with open(os.path.join(HERE, "..", "pyproject.toml"), encoding="utf-8") as file:
        found = re.search(r'^requires-python = ">=(\d+)\.(\d+)"', file.read(), re.MULTILINE)
    return int(found.group(1)), int(found.group(2))


def check_python():
    oldest = oldest_python()
    if sys.version_info[:2] >= oldest:
        return None
    names = ["python{}.{}".format(oldest[0], minor) for minor in range(oldest[1] + 9, oldest[1] - 1, -1)]
    newer = [
        name
        for name in names
        if shutil.which(name) and subprocess.call([name, "-c", ""], stderr=subprocess.DEVNULL) == 0
    ]
    return problem(
        "{} is Python {}.{}, expected {}.{} or newer. {} make PYTHON={}".format(
            sys.executable,
            *sys.version_info[:2],
            *oldest,
            "{} is here: run".format(newer[0]) if newer else "Install one, then run",
            newer[0] if newer else names[-1],
        ),
        "sudo apt install python3 python3-dev python3-venv (an old release: take a newer one, or pyenv)",
        "sudo dnf install python3 python3-devel",
        "brew install python",
    )


def check_venv():
    try:
        import ensurepip
        import venv  # noqa: F401

        ensurepip.version()  # looks for the wheels that it carries
    except Exception as error:
        return problem(
            "{} cannot make virtual environments ({}).".format(sys.executable, error),
            "sudo apt install python3-venv",
            "sudo dnf install python3-libs python3-pip",
            "brew install python",
        )
    return None


def compiles(compiler, source):
    """None when the source compiles and links, or the compiler's words."""
    includes = {sysconfig.get_paths()[kind] for kind in ("include", "platinclude")}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "probe.cpp")
        with open(path, "w", encoding="utf-8") as file:
            file.write(source)
        command = [*compiler, "-std=c++20", *("-I" + i for i in includes), path, "-o", os.path.join(folder, "probe")]
        try:
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        except OSError as error:
            return str(error)
    return None if done.returncode == 0 else done.stdout.decode("utf-8", "replace").strip() or "it says nothing"


def check_compiler():
    named = shlex.split(os.environ.get("CXX", ""))
    compiler = named or [name for name in COMPILERS if shutil.which(name)][:1]
    if not compiler or not shutil.which(compiler[0]):
        return problem(
            "The C++ compiler $CXX = `{}` is not there: unset it, or get one.".format(named[0])
            if named
            else "There is no C++ compiler: looked for $CXX, {} in PATH.".format(", ".join(COMPILERS)),
            "sudo apt install g++",
            "sudo dnf install gcc-c++",
            "xcode-select --install",
        )
    if compiles(compiler, "#include <Python.h>\n" + CPP20) is None:
        return None
    words = compiles(compiler, CPP20)
    if words is not None:
        return problem(
            "The C++ compiler `{}` cannot compile and link C++20. Get g++ 11 or clang 14 or newer, and name it when it "
            "is not the default: CXX=g++-12 make\n    It says: {}".format(
                " ".join(compiler), "\n      ".join(words.splitlines()[:5])
            ),
            "sudo apt install g++ (an old release: g++-11 or newer)",
            "sudo dnf install gcc-c++",
            "xcode-select --install (or a newer Xcode)",
        )
    return problem(
        "{} has no Python.h (looked in {}).".format(sys.executable, sysconfig.get_paths()["include"]),
        "sudo apt install python3-dev",
        "sudo dnf install python3-devel",
        "brew install python",
    )


def main():
    problems = [check_python()]
    if problems[0] is None:  # what an old Python lacks besides is of no interest
        problems += [check_venv(), check_compiler()]
    problems = [found for found in problems if found]
    if problems:
        print("afterwit cannot be built here yet:\n", file=sys.stderr)
        print("\n\n".join("  " + found for found in problems), file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
