// A loss as Python holds it.
#pragma once

#include "losses/loss.hpp"

namespace afterwit {

struct PyLoss {
  AnyLoss any;
};

}  // namespace afterwit
