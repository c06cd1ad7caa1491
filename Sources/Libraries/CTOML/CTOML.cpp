// SPDX-License-Identifier: Apache-2.0
#include "CTOML.h"
#include "ErrorReport.hpp"

#include "Parser.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct ctoml_document {
    toml::table root;
};

namespace {

using glimpse::Violation;

ctoml_place place(const toml::source_position &position) { return {position.line, position.column}; }

ctoml_text text(const std::string_view &string) { return {string.data(), string.size()}; }

/// Puts a tree in a row, parents before their members. Without room it only counts.
struct Walk {
    ctoml_node *nodes;
    size_t capacity;
    size_t count = 0;

    void add(const toml::node &node, const toml::key *key) {
        ctoml_node flat{};
        flat.place = place(node.source().begin);
        if (key) {
            flat.key = text(key->str());
            flat.key_place = place(key->source().begin);
        }
        const toml::table *table = node.as_table();
        const toml::array *array = node.as_array();
        if (table) {
            flat.kind = CTOML_TABLE;
            flat.members = table->size();
        } else if (array) {
            flat.kind = CTOML_ARRAY;
            flat.members = array->size();
        } else if (const auto *string = node.as_string()) {
            flat.kind = CTOML_STRING;
            flat.string = text(string->get());
        } else if (const auto *integer = node.as_integer()) {
            flat.kind = CTOML_INTEGER;
            flat.integer = integer->get();
        } else if (const auto *number = node.as_floating_point()) {
            flat.kind = CTOML_FLOAT;
            flat.number = number->get();
        } else if (const auto *boolean = node.as_boolean()) {
            flat.kind = CTOML_BOOLEAN;
            flat.integer = boolean->get();
        } else {
            flat.kind = CTOML_DATE;
        }
        if (count < capacity) nodes[count] = flat;
        ++count;
        if (table) {
            for (auto &&[name, member] : *table) add(member, &name);
        } else if (array) {
            for (auto &&element : *array) add(element, nullptr);
        }
    }
};

bool isViolation(std::string_view text) {
    try {
        (void)toml::parse(text);
        return false;
    } catch (const toml::parse_error &) {
        return false;
    } catch (const Violation &) {
        return true;
    }
}

/// The line at which a text fails an assertion, which does not say where it is: the last of the fewest lines that fail
/// it. The parser goes from the front and looks ahead within a line only, so more lines fail it too.
uint32_t violatingLine(std::string_view text) {
    std::vector<size_t> ends;
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\n') ends.push_back(i + 1);
    }
    const auto end = std::partition_point(ends.begin(), ends.end(), [text](size_t end) {
        return !isViolation(text.substr(0, end));
    });
    return uint32_t(end - ends.begin()) + 1;
}

const char *message(const Violation &violation) {
    if (std::strstr(violation.condition, "is_bare_key_character")) return "expected a key";
    if (std::strstr(violation.condition, "is_value_terminator")) return "expected a value";
    return "unexpected character";
}

} // namespace

ctoml_status ctoml_parse(
    const char *text, size_t length, ctoml_document **document, size_t *count, ctoml_place *place, char *error,
    size_t capacity) {
    *document = nullptr;
    *count = 0;
    *place = {0, 0};
    try {
        // A text that ends too early then ends at a line, and the parser reports what it expected there.
        std::string lines(text ? text : "", text ? length : 0);
        lines += '\n';
        try {
            auto parsed = std::make_unique<ctoml_document>(ctoml_document{toml::parse(lines)});
            Walk counting{nullptr, 0};
            counting.add(parsed->root, nullptr);
            *count = counting.count;
            *document = parsed.release();
            return CTOML_OK;
        } catch (const toml::parse_error &wrong) {
            *place = ::place(wrong.source().begin);
            glimpse::report(wrong.description(), error, capacity);
        } catch (const Violation &violation) {
            *place = {violatingLine(lines), 0};
            glimpse::report(message(violation), error, capacity);
        }
        return CTOML_MALFORMED;
    } catch (const std::exception &failure) {
        glimpse::report(failure.what(), error, capacity);
        return CTOML_FAILED;
    } catch (...) {
        glimpse::report("unknown failure", error, capacity);
        return CTOML_FAILED;
    }
}

size_t ctoml_nodes(const ctoml_document *document, ctoml_node *nodes, size_t capacity) {
    Walk walk{nodes, capacity};
    walk.add(document->root, nullptr);
    return std::min(walk.count, capacity);
}

void ctoml_free(ctoml_document *document) { delete document; }
