// toml++, header-only, with assertions that throw.
//
// Its parser (3.3 and 3.4) relies on assertions where texts are wrong: `[=`, `x = [}` and `x = 2026-01-01Tx` fail them, and what follows without
// them is undefined. They stay on in release builds, and end a parse instead of the process.
#pragma once

namespace glimpse {

/// An assertion of the parser failed; `condition` is its text.
struct Violation {
    const char *condition;
};

[[noreturn]] inline void violated(const char *condition) { throw Violation{condition}; }

} // namespace glimpse

// With NDEBUG the header assumes what it would assert.
#undef NDEBUG
#define TOML_ASSERT(condition) ((condition) ? static_cast<void>(0) : ::glimpse::violated(#condition))
#define TOML_EXCEPTIONS 1
#define TOML_HEADER_ONLY 1
#define TOML_ENABLE_FORMATTERS 0
#define TOML_ENABLE_WINDOWS_COMPAT 0
#define TOML_ENABLE_UNRELEASED_FEATURES 0
#include <toml++/toml.h>
