// SPDX-License-Identifier: Apache-2.0
/// One HTTP exchange at a time through libcurl, which is loaded when it is first asked for: a program that never asks
/// pays nothing.
///
/// Threading: each call is independent of all others; any thread. It blocks until the exchange is over. Certificates
/// are checked, proxies are those of the environment, and only http and https are spoken: from https a redirect leads
/// to https only.
#ifndef GLIMPSE_CCURL_H
#define GLIMPSE_CCURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    CCURL_OK = 0,
    /// libcurl is not installed, or too old.
    CCURL_NO_LIBRARY = 1,
    /// `url` is not one of http or https, or a value makes no sense.
    CCURL_BAD_ARGUMENT = 2,
    /// No connection, no such host, a certificate that is not trusted, a connection that was cut: no answer, or half of
    /// one.
    CCURL_FAILED = 3,
    /// One of the time limits.
    CCURL_TIMED_OUT = 4,
    /// A redirect that may not be followed.
    CCURL_REDIRECTED = 5,
    /// A callback returned false, or `is_cancelled` true.
    CCURL_STOPPED = 6,
    /// The name leads to an address that is not public, and only those may be spoken to.
    CCURL_REFUSED = 7,
} ccurl_status;

/// The server's response before the body. -1: absent.
typedef struct {
    int32_t code;
    int64_t content_length;
    /// From `Content-Range: bytes START-END/TOTAL`.
    int64_t range_start, range_total;
} ccurl_head;

typedef struct {
    const char *url;
    /// `Name: value`
    const char *const *headers;
    size_t header_count;
    /// Sent by POST; NULL: GET.
    const uint8_t *body;
    size_t body_length;
    /// The first byte that is asked for, by `Range`; 0: everything.
    int64_t offset;
    /// Milliseconds; 0: no limit for the total.
    int32_t connect_timeout_ms, total_timeout_ms;
    /// Seconds without a byte; 0: no limit.
    int32_t idle_timeout_s;
    /// 0: none is followed. A POST stays one.
    int32_t max_redirects;
    /// Only addresses for which `ccurl_is_public` holds are connected to, whatever the name resolves to, and at each
    /// redirect anew.
    bool public_only;
    /// No proxy, whatever the environment says.
    bool direct;
    /// PEM file of certificates that are trusted instead of the system's; NULL: the system's.
    const char *ca_file;
    void *context;
    /// Called for the last answer only, in pieces, `head` with each; not called for an empty body.
    bool (*receive)(void *context, const ccurl_head *head, const uint8_t *bytes, size_t count);
    /// Asked several times a second; true ends the exchange. NULL: nobody cancels.
    bool (*is_cancelled)(void *context);
} ccurl_request;

/// Whether an address is one of the public internet, also where IPv6 carries an IPv4 address. An address is not public
/// if it is loopback, private, link-local, shared (RFC 6598), documentation, benchmarking, multicast or reserved
/// (IANA's special-purpose registries).
///
/// `bytes`: in network order, 4 of them or 16.
bool ccurl_is_public(const uint8_t *bytes, size_t count);

/// `head` is filled as far as the exchange came. `error`: a message of at most `capacity - 1` bytes, terminated;
/// untouched on success.
ccurl_status ccurl_perform(const ccurl_request *request, ccurl_head *head, char *error, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
