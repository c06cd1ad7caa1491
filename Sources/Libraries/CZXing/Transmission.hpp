// SPDX-License-Identifier: Apache-2.0
// The transmission of a symbol, where ZXing's text differs.
#pragma once

#include "Decoder.hpp"

namespace glimpse {

/// Brings `text` (and `bytes` along with it, for symbologies of plain digits) to the form described in CZXing.h.
void makeTransmitted(Symbol &symbol);

} // namespace glimpse
