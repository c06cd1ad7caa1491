// What a reader transmits for a symbol, where ZXing's text is something else.
#pragma once

#include "Decoder.hpp"

namespace glimpse {

/// Brings `text` (and `bytes` along with it, for symbologies of plain digits) to the form described in CZXing.h.
void makeTransmitted(Symbol &symbol);

} // namespace glimpse
