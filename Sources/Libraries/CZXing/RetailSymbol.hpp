// SPDX-License-Identifier: Apache-2.0
// Turns the soft decoder's reading into a symbol.
#pragma once

#include "Decoder.hpp"
#include "RetailRead.hpp"

#include <optional>

namespace glimpse {

/// Nothing where the margin is too small to be sure (less than 5) or where `formats` wants no such symbol. On the films
/// and photographs of docs/performance.md no wrong value had 4. `quad`: the bars' corners in reading direction.
std::optional<Symbol> retailSymbol(const RetailRead &read, const Quad &quad, uint32_t formats);

} // namespace glimpse
