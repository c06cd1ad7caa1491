// SPDX-License-Identifier: Apache-2.0
/// Plain C over toml++: a TOML 1.0 text as a flat list of nodes, each with its place.
///
/// Threading: nothing is shared. A `ctoml_document` may be read by any thread, one at a time. Errors: a status, a place
/// and a message of at most `capacity - 1` bytes in `error`, terminated; NULL with 0 is allowed. No C++ exception
/// leaves this library, and no text ends the process by one of the parser's assertions.
#ifndef GLIMPSE_CTOML_H
#define GLIMPSE_CTOML_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    CTOML_OK = 0,
    /// The text is not TOML.
    CTOML_MALFORMED = 1,
    /// There is no memory for it.
    CTOML_FAILED = 2,
} ctoml_status;

typedef enum {
    CTOML_STRING,
    CTOML_INTEGER,
    CTOML_FLOAT,
    CTOML_BOOLEAN,
    /// A date, a time, or both; its value is not told.
    CTOML_DATE,
    CTOML_ARRAY,
    CTOML_TABLE,
} ctoml_kind;

/// From 1; columns are code points. 0 without a position.
typedef struct {
    uint32_t line, column;
} ctoml_place;

/// UTF-8 of `count` bytes, not terminated, with a NUL where the text has `\u0000`. Borrowed from the document.
typedef struct {
    const char *bytes;
    size_t count;
} ctoml_text;

/// One value. Members of other kinds are 0.
typedef struct {
    ctoml_kind kind;
    /// Where the value begins: of a table, its header or its first key.
    ctoml_place place;
    /// The key of a table's member; NULL in arrays.
    ctoml_text key;
    /// Where the key stands first.
    ctoml_place key_place;
    /// The members of a table or an array follow the node, each with its own members after it: so many.
    size_t members;
    ctoml_text string;
    /// 0 or 1 for a boolean.
    int64_t integer;
    double number;
} ctoml_node;

typedef struct ctoml_document ctoml_document;

/// Parses `length` bytes of UTF-8. On success `*document` must go to `ctoml_free`, and `*count` is the number of its
/// nodes. Otherwise `*document` is NULL, and `*place` is where the text is wrong (for `CTOML_MALFORMED`; a column may
/// be 0).
///
/// Values nested more than 256 deep are refused. Parts of a key are not counted: each part is a table in the part
/// before, and is freed by recursion. The caller makes sure that a key does not have thousands of parts.
ctoml_status ctoml_parse(
    const char *text, size_t length, ctoml_document **document, size_t *count, ctoml_place *place, char *error,
    size_t capacity);

/// Writes at most `capacity` nodes, the root table first, and returns how many.
size_t ctoml_nodes(const ctoml_document *document, ctoml_node *nodes, size_t capacity);

/// NULL is allowed.
void ctoml_free(ctoml_document *document);

#ifdef __cplusplus
}
#endif
#endif
