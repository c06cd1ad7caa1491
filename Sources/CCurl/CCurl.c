#include "CCurl.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

typedef struct {
    const ccurl_request *request;
    CURL *handle;
    ccurl_head *head;
    bool has_head;
    bool is_stopped;
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

static size_t on_body(char *bytes, size_t size, size_t count, void *context) {
    exchange *e = context;
    read_head(e);
    // What a redirect carries is nobody's.
    if (e->head->code >= 300 && e->head->code < 400) return size * count;
    if (e->request->receive(e->request->context, e->head, (const uint8_t *)bytes, size * count)) return size * count;
    e->is_stopped = true;
    return 0;
}

static ccurl_status outcome(const exchange *e, CURLcode code) {
    switch (code) {
    case CURLE_OK: return CCURL_OK;
    case CURLE_OPERATION_TIMEDOUT: return CCURL_TIMED_OUT;
    case CURLE_TOO_MANY_REDIRECTS: return CCURL_REDIRECTED;
    case CURLE_URL_MALFORMAT: return CCURL_BAD_ARGUMENT;
    // A redirect to what is not spoken.
    case CURLE_UNSUPPORTED_PROTOCOL: return CCURL_REDIRECTED;
    default: return e->is_stopped ? CCURL_STOPPED : CCURL_FAILED;
    }
}

static void set_up(const exchange *e, struct curl_slist *headers, char *words) {
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
    curl.easy_setopt(h, CURLOPT_CONNECTTIMEOUT_MS, (long)r->connect_timeout_ms);
    curl.easy_setopt(h, CURLOPT_TIMEOUT_MS, (long)r->total_timeout_ms);
    if (r->idle_timeout_s > 0) {
        curl.easy_setopt(h, CURLOPT_LOW_SPEED_LIMIT, 1L);
        curl.easy_setopt(h, CURLOPT_LOW_SPEED_TIME, (long)r->idle_timeout_s);
    }
    curl.easy_setopt(h, CURLOPT_WRITEFUNCTION, on_body);
    curl.easy_setopt(h, CURLOPT_WRITEDATA, (void *)e);
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
    } else if (status != CCURL_OK) {
        say(error, capacity, words[0] ? words : curl.easy_strerror(code));
    }
    curl.slist_free_all(headers);
    curl.easy_cleanup(e.handle);
    return status;
}
