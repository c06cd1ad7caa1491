// SPDX-License-Identifier: Apache-2.0
#include "CCurl.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

// The functions themselves: the header's names are macros in some compilers.
#undef curl_easy_setopt
#undef curl_easy_getinfo

typedef struct {
    CURLcode (*global_init)(long);
    CURL *(*easy_init)(void);
    CURLcode (*easy_setopt)(CURL *, CURLoption, ...);
    CURLcode (*easy_perform)(CURL *);
    CURLcode (*easy_getinfo)(CURL *, CURLINFO, ...);
    CURLHcode (*easy_header)(CURL *, const char *, size_t, unsigned int, int, struct curl_header **);
    void (*easy_cleanup)(CURL *);
    const char *(*easy_strerror)(CURLcode);
    struct curl_slist *(*slist_append)(struct curl_slist *, const char *);
    void (*slist_free_all)(struct curl_slist *);
} library;

static library curl;
static bool is_loaded;
static char load_error[256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static bool find(void *handle, const char *name, void *function) {
    void *found = dlsym(handle, name);
    memcpy(function, &found, sizeof found);
    if (!found) snprintf(load_error, sizeof load_error, "libcurl has no %s: 7.85 or newer is needed", name);
    return found != NULL;
}

// Never unloaded: its own threads and tables live as long as the process.
static void load(void) {
    void *handle = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        snprintf(load_error, sizeof load_error, "libcurl is not installed: apt install libcurl4");
        return;
    }
    is_loaded = find(handle, "curl_global_init", &curl.global_init) && find(handle, "curl_easy_init", &curl.easy_init) &&
                find(handle, "curl_easy_setopt", &curl.easy_setopt) &&
                find(handle, "curl_easy_perform", &curl.easy_perform) &&
                find(handle, "curl_easy_getinfo", &curl.easy_getinfo) &&
                find(handle, "curl_easy_header", &curl.easy_header) &&
                find(handle, "curl_easy_cleanup", &curl.easy_cleanup) &&
                find(handle, "curl_easy_strerror", &curl.easy_strerror) &&
                find(handle, "curl_slist_append", &curl.slist_append) &&
                find(handle, "curl_slist_free_all", &curl.slist_free_all);
    if (is_loaded && curl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
        snprintf(load_error, sizeof load_error, "libcurl cannot be initialised");
        is_loaded = false;
    }
}

static void say(char *error, size_t capacity, const char *text) {
    if (error && capacity > 0) snprintf(error, capacity, "%s", text);
}

// Bytes of an answer's headers, over all redirects. libcurl before 8.3 keeps however many there are (CVE-2023-38039).
static const size_t maximum_head = 256 << 10;

typedef struct {
    const ccurl_request *request;
    CURL *handle;
    ccurl_head *head;
    size_t head_bytes;
    bool has_head;
    bool is_stopped;
    bool is_refused;
} exchange;

static void read_head(exchange *e) {
    if (e->has_head) return;
    e->has_head = true;
    long code = 0;
    curl_off_t length = -1;
    curl.easy_getinfo(e->handle, CURLINFO_RESPONSE_CODE, &code);
    curl.easy_getinfo(e->handle, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
    e->head->code = (int32_t)code;
    e->head->content_length = length;
    struct curl_header *range = NULL;
    if (curl.easy_header(e->handle, "Content-Range", 0, CURLH_HEADER, -1, &range) == CURLHE_OK) {
        long long start = -1, end = -1, total = -1;
        if (sscanf(range->value, "bytes %lld-%lld/%lld", &start, &end, &total) >= 2 && start >= 0) {
            e->head->range_start = start;
            e->head->range_total = total;
        } else if (sscanf(range->value, "bytes */%lld", &total) == 1) {
            e->head->range_total = total;
        }
    }
}

static size_t on_header(char *bytes, size_t size, size_t count, void *context) {
    exchange *e = context;
    (void)bytes;
    e->head_bytes += size * count;
    return e->head_bytes <= maximum_head ? size * count : 0;
}

static size_t on_body(char *bytes, size_t size, size_t count, void *context) {
    exchange *e = context;
    read_head(e);
    // The body of a redirect is dropped.
    if (e->head->code >= 300 && e->head->code < 400) return size * count;
    if (e->request->receive(e->request->context, e->head, (const uint8_t *)bytes, size * count)) return size * count;
    e->is_stopped = true;
    return 0;
}

static bool within(const uint8_t *bytes, uint32_t network, int bits) {
    const uint32_t address = (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
    return (address ^ network) >> (32 - bits) == 0;
}

static bool is_public_4(const uint8_t *b) {
    return !within(b, 0x00000000, 8) && !within(b, 0x0A000000, 8) && !within(b, 0x64400000, 10) &&
           !within(b, 0x7F000000, 8) && !within(b, 0xA9FE0000, 16) && !within(b, 0xAC100000, 12) &&
           !within(b, 0xC0000000, 24) && !within(b, 0xC0000200, 24) && !within(b, 0xC0A80000, 16) &&
           !within(b, 0xC6120000, 15) && !within(b, 0xC6336400, 24) && !within(b, 0xCB007100, 24) &&
           !within(b, 0xE0000000, 3);
}

bool ccurl_is_public(const uint8_t *b, size_t count) {
    static const uint8_t mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};
    static const uint8_t translated[12] = {0, 0x64, 0xFF, 0x9B};
    static const uint8_t nothing[12];
    if (count == 4) return is_public_4(b);
    if (count != 16) return false;
    // IPv4 in other clothes: mapped, translated (RFC 6052), compatible (loopback and unspecified too), 6to4.
    if (memcmp(b, mapped, 12) == 0 || memcmp(b, translated, 12) == 0) return is_public_4(b + 12);
    if (memcmp(b, nothing, 12) == 0) return false;
    if (b[0] == 0x20 && b[1] == 0x02) return is_public_4(b + 2);
    // Teredo, ORCHID, documentation; beyond these only 2000::/3 is given out.
    if (b[0] == 0x20 && b[1] == 0x01 && b[2] < 0x02) return false;
    if (b[0] == 0x20 && b[1] == 0x01 && b[2] == 0x0D && b[3] == 0xB8) return false;
    return b[0] >> 5 == 1;
}

// libcurl asks for a socket when it has the address that it will connect to: nothing can change it afterwards.
static curl_socket_t on_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
    exchange *e = context;
    (void)purpose;
    bool is_public = false;
    if (address->family == AF_INET) {
        const struct sockaddr_in *in = (const void *)&address->addr;
        is_public = ccurl_is_public((const uint8_t *)&in->sin_addr, 4);
    } else if (address->family == AF_INET6) {
        const struct sockaddr_in6 *in = (const void *)&address->addr;
        is_public = ccurl_is_public((const uint8_t *)&in->sin6_addr, 16);
    }
    if (!is_public) {
        e->is_refused = true;
        return CURL_SOCKET_BAD;
    }
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

static int on_progress(void *context, curl_off_t total, curl_off_t now, curl_off_t to_send, curl_off_t sent) {
    exchange *e = context;
    (void)total, (void)now, (void)to_send, (void)sent;
    if (!e->request->is_cancelled(e->request->context)) return 0;
    e->is_stopped = true;
    return 1;
}

static ccurl_status outcome(const exchange *e, CURLcode code) {
    switch (code) {
    case CURLE_OK: return CCURL_OK;
    case CURLE_OPERATION_TIMEDOUT: return CCURL_TIMED_OUT;
    case CURLE_TOO_MANY_REDIRECTS: return CCURL_REDIRECTED;
    case CURLE_URL_MALFORMAT: return CCURL_BAD_ARGUMENT;
    // A redirect to what is not spoken.
    case CURLE_UNSUPPORTED_PROTOCOL: return CCURL_REDIRECTED;
    default: return e->is_stopped ? CCURL_STOPPED : e->is_refused ? CCURL_REFUSED : CCURL_FAILED;
    }
}

static void set_up(exchange *e, struct curl_slist *headers, char *words) {
    const ccurl_request *r = e->request;
    CURL *h = e->handle;
    const char *schemes = strncasecmp(r->url, "https:", 6) == 0 ? "https" : "http,https";
    curl.easy_setopt(h, CURLOPT_URL, r->url);
    curl.easy_setopt(h, CURLOPT_PROTOCOLS_STR, "http,https");
    curl.easy_setopt(h, CURLOPT_REDIR_PROTOCOLS_STR, schemes);
    curl.easy_setopt(h, CURLOPT_ERRORBUFFER, words);
    curl.easy_setopt(h, CURLOPT_NOSIGNAL, 1L);
    curl.easy_setopt(h, CURLOPT_USERAGENT, "glimpsed");
    curl.easy_setopt(h, CURLOPT_HTTPHEADER, headers);
    curl.easy_setopt(h, CURLOPT_FOLLOWLOCATION, r->max_redirects > 0 ? 1L : 0L);
    curl.easy_setopt(h, CURLOPT_MAXREDIRS, (long)r->max_redirects);
    curl.easy_setopt(h, CURLOPT_POSTREDIR, (long)CURL_REDIR_POST_ALL);
    if (r->public_only) {
        curl.easy_setopt(h, CURLOPT_OPENSOCKETFUNCTION, on_socket);
        curl.easy_setopt(h, CURLOPT_OPENSOCKETDATA, e);
    }
    if (r->direct) curl.easy_setopt(h, CURLOPT_PROXY, "");
    if (r->ca_file) curl.easy_setopt(h, CURLOPT_CAINFO, r->ca_file);
    if (r->is_cancelled) {
        curl.easy_setopt(h, CURLOPT_NOPROGRESS, 0L);
        curl.easy_setopt(h, CURLOPT_XFERINFOFUNCTION, on_progress);
        curl.easy_setopt(h, CURLOPT_XFERINFODATA, e);
    }
    curl.easy_setopt(h, CURLOPT_CONNECTTIMEOUT_MS, (long)r->connect_timeout_ms);
    curl.easy_setopt(h, CURLOPT_TIMEOUT_MS, (long)r->total_timeout_ms);
    if (r->idle_timeout_s > 0) {
        curl.easy_setopt(h, CURLOPT_LOW_SPEED_LIMIT, 1L);
        curl.easy_setopt(h, CURLOPT_LOW_SPEED_TIME, (long)r->idle_timeout_s);
    }
    curl.easy_setopt(h, CURLOPT_HEADERFUNCTION, on_header);
    curl.easy_setopt(h, CURLOPT_HEADERDATA, e);
    curl.easy_setopt(h, CURLOPT_WRITEFUNCTION, on_body);
    curl.easy_setopt(h, CURLOPT_WRITEDATA, e);
    if (r->body) {
        curl.easy_setopt(h, CURLOPT_POST, 1L);
        curl.easy_setopt(h, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)r->body_length);
        curl.easy_setopt(h, CURLOPT_POSTFIELDS, (const char *)r->body);
    }
}

ccurl_status ccurl_perform(const ccurl_request *request, ccurl_head *head, char *error, size_t capacity) {
    if (!request || !request->url || !request->receive || !head || request->offset < 0) {
        say(error, capacity, "a value is missing");
        return CCURL_BAD_ARGUMENT;
    }
    *head = (ccurl_head){.code = -1, .content_length = -1, .range_start = -1, .range_total = -1};
    if (strncasecmp(request->url, "http://", 7) != 0 && strncasecmp(request->url, "https://", 8) != 0) {
        say(error, capacity, "neither http nor https");
        return CCURL_BAD_ARGUMENT;
    }
    pthread_once(&once, load);
    if (!is_loaded) {
        say(error, capacity, load_error);
        return CCURL_NO_LIBRARY;
    }
    exchange e = {.request = request, .handle = curl.easy_init(), .head = head};
    if (!e.handle) {
        say(error, capacity, "out of memory");
        return CCURL_FAILED;
    }
    struct curl_slist *headers = NULL;
    for (size_t i = 0; i < request->header_count; i++) headers = curl.slist_append(headers, request->headers[i]);
    char range[32];
    char words[CURL_ERROR_SIZE] = "";
    set_up(&e, headers, words);
    if (request->offset > 0) {
        snprintf(range, sizeof range, "%lld-", (long long)request->offset);
        curl.easy_setopt(e.handle, CURLOPT_RANGE, range);
    }
    CURLcode code = curl.easy_perform(e.handle);
    if (code == CURLE_OK) read_head(&e);
    ccurl_status status = outcome(&e, code);
    if (status == CCURL_OK && head->code >= 300 && head->code < 400 && head->code != 304) {
        status = CCURL_REDIRECTED;
        say(error, capacity, "the server leads elsewhere");
    } else if (status == CCURL_REFUSED) {
        say(error, capacity, "the name leads to an address that is not public");
    } else if (status != CCURL_OK) {
        say(error, capacity, words[0] ? words : curl.easy_strerror(code));
    }
    curl.slist_free_all(headers);
    curl.easy_cleanup(e.handle);
    return status;
}
