// SPDX-License-Identifier: Apache-2.0
/* Barcode reading and drawing over ZXing-C++, as a plain C interface.
 *
 * No C++ exception leaves these functions. Coordinates are pixels of the given picture, x to the right, y down. */
#ifndef CZXING_H
#define CZXING_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Symbologies, to be combined by OR in `czx_options.formats`; exactly one in `czx_symbol.format`. */
enum {
    CZX_QR_CODE = 1 << 0,
    CZX_MICRO_QR_CODE = 1 << 1,
    CZX_AZTEC = 1 << 2,
    CZX_DATA_MATRIX = 1 << 3,
    CZX_PDF417 = 1 << 4,
    CZX_MAXI_CODE = 1 << 5,
    CZX_CODE_128 = 1 << 6,
    CZX_CODE_39 = 1 << 7,
    CZX_CODE_93 = 1 << 8,
    CZX_CODABAR = 1 << 9,
    CZX_ITF = 1 << 10,
    CZX_EAN_8 = 1 << 11,
    CZX_EAN_13 = 1 << 12,
    CZX_UPC_A = 1 << 13,
    CZX_UPC_E = 1 << 14,
    CZX_DATABAR = 1 << 15,
    CZX_DATABAR_EXPANDED = 1 << 16,
    /* Only with ZXing-C++ 3 and later; see `czx_readable_formats`. */
    CZX_DATABAR_LIMITED = 1 << 17,
    CZX_DX_FILM_EDGE = 1 << 18,
    CZX_MICRO_PDF417 = 1 << 19,
    CZX_RMQR_CODE = 1 << 20,
    CZX_TELEPEN = 1 << 21
};

/* The symbologies that the decoder this was built with can read. */
uint32_t czx_readable_formats(void);

/* How much work one call may do. */
enum {
    CZX_FAST = 0,     /* the most code-like regions, one attempt each: a few milliseconds */
    CZX_ADAPTIVE = 1, /* every code-like region within a budget of pixels: the default for video */
    CZX_THOROUGH = 2, /* single pictures: about four times the decoder's own search; ends without code-like places */
    CZX_HARD = 3      /* single pictures: tiles, rotations, inversion, rescaling, every binarizer; may take seconds */
};

/* Negative results of the functions below. */
enum {
    CZX_INVALID_ARGUMENT = -1,   /* the picture, the options or a pointer is impossible; see the message */
    CZX_DECODER_FAILED = -2,     /* the decoder raised an error (out of memory, say); see the message */
    CZX_BUFFER_TOO_SMALL = -3,   /* `czx_write` only: `*width` times `*height` bytes are needed */
    CZX_UNSUPPORTED_FORMAT = -4  /* this build's decoder reads none of the formats, or cannot draw this one */
};

/* One reader per thread. It keeps scratch memory from call to call and holds no other state. So equal pictures with
 * equal options give equal results, whatever was read before. */
typedef struct czx_reader czx_reader;

/* NULL when memory is exhausted. */
czx_reader *czx_reader_create(void);
void czx_reader_destroy(czx_reader *reader);

/* An 8-bit luma plane or a part of one. Row y starts at `pixels + y * stride`; `stride` >= `width` in bytes. Width and
 * height from 1 to 32767. Only read, and only during the call. */
typedef struct {
    const uint8_t *pixels;
    int32_t width, height, stride;
} czx_luma;

typedef struct {
    uint32_t formats;    /* CZX_QR_CODE | ...; 0 means all. Unreadable formats are left out beside others. */
    int32_t effort;      /* CZX_FAST, CZX_ADAPTIVE or CZX_HARD */
    int32_t max_symbols; /* stop after so many; 0 means as many as `capacity` */
} czx_options;

typedef struct {
    uint32_t format; /* one CZX_... symbology */
    /* x0,y0 ... x3,y3: the symbol's own top left, top right, bottom right, bottom left, wherever they lie in the
     * picture. Never of zero area. Linear symbols: the height of the bars as far as they were followed. */
    float corners[8];
    /* Degrees clockwise from upright, [0, 360): the direction of the symbol's reading line in the picture. */
    float orientation;
    /* Where text and bytes stand in the arena. Both are exact; text is UTF-8 without a final zero. */
    uint32_t text_offset, text_length, bytes_offset, bytes_length;
    char symbology_id[8]; /* ISO/IEC 15424, as "]Q1"; zero-terminated, empty if unknown */
    char ec_level[8];     /* error correction level, as "M" or "23%"; zero-terminated, empty without one */
    char add_on[8];       /* the digits of an EAN or UPC symbol's add-on; zero-terminated, empty if none was read */
    uint8_t is_text;      /* 0: the content is binary, text is only a transcription of it */
    uint8_t is_gs1;       /* the content is a GS1 element string (FNC1 in first position) */
    uint8_t mirrored;     /* seen from behind */
    uint8_t inverted;     /* light on dark */
    uint8_t reader_init;  /* a symbol that programs a reader: not data */
    int32_t sequence_size, sequence_index; /* structured append; -1 if not part of one, size 0 if unknown */
    int32_t line_count;   /* linear symbols: scan lines that agreed; 0 for matrix symbols */
} czx_symbol;

/* Reads the symbols of a picture into `out`, in order of their position (top to bottom, then left to right).
 *
 * Text is what an ISO reader transmits without symbology identifier. UPC-A has 12 digits and UPC-E its 8; EAN and UPC
 * come without their add-on, Codabar without start and stop. FNC1 separators are U+001D.
 *
 * Identical symbols at different places are different results; one symbol is never given twice.
 *
 * Returns the number of symbols, >= 0, or a negative status with a message in `error` (zero-terminated, cut to
 * `error_capacity`; may be NULL with 0). Symbols whose text and bytes do not fit in the rest of the arena are left out
 * whole; `capacity` limits the number likewise. An arena of 64 KiB holds any eight symbols. */
int32_t czx_read(czx_reader *reader, const czx_luma *luma, const czx_options *options, czx_symbol *out,
                 int32_t capacity, uint8_t *arena, size_t arena_capacity, char *error, size_t error_capacity);

/* --- Symbols in the frames of a stream --- */

/* Whole pixels; right and bottom are the first ones outside. */
typedef struct {
    int32_t left, top, right, bottom;
} czx_rect;

typedef struct {
    /* Known symbols, four corners (8 floats) each, less than 100,000 from 0. They are not searched for. */
    const float *known;
    int32_t known_count;
    /* Places that gave nothing before and are not tried again. The last `changed_count` of them look different now.
     * They are tried after new ones, in this order: the place that was tried longest ago comes first. */
    const czx_rect *hopeless;
    int32_t hopeless_count, changed_count;
    /* In: how much may be spent on places that give nothing, in nanoseconds of a model of the decoder. The model is not
     * a clock, so equal calls give equal results. Out: the rest. */
    double budget;
    /* Out: places that were tried and gave nothing, strongest first. The last `bars_count` of them are bars that were
     * not tried. They lie within a larger place, whose print or lines touch them, or in a hopeless one. */
    czx_rect *unread;
    int32_t unread_capacity, unread_count, bars_count;
} czx_search;

/* As `czx_read` with CZX_ADAPTIVE (`options->effort` is not used), for symbols that are not known yet. */
int32_t czx_read_new(czx_reader *reader, const czx_luma *luma, const czx_options *options, czx_search *search,
                     czx_symbol *out, int32_t capacity, uint8_t *arena, size_t arena_capacity, char *error,
                     size_t error_capacity);

/* Whether an unread place is printed like a code: 1 or 0. This test is stricter than the search, which tries places
 * with the dense, strong edges of a code. Negative: see above. */
int32_t czx_looks_like_code(const czx_luma *luma, const czx_rect *place);

/* The margin by which `digits` fits the bars of the symbol better than any other value that its check digit allows. Its
 * unit is the error that the best fit leaves. There are 13, 8, 12 or 8 digits for CZX_EAN_13, CZX_EAN_8, CZX_UPC_A or
 * CZX_UPC_E.
 *
 * Values that the picture contradicts have less than 0, and are never among the read ones. Zero: the picture is
 * unclear, or an argument is impossible. `corners` as in czx_symbol. */
float czx_retail_margin(const czx_luma *luma, uint32_t format, const uint8_t *digits, size_t count, const float corners[8]);

/* --- What many pictures of a linear symbol show together ---
 *
 * For places of EAN, UPC, Code 128 and ITF that the search located and nobody reads. One thread at a time; of constant
 * size (about 6 KiB). */
typedef struct czx_evidence czx_evidence;

/* NULL when memory is exhausted. */
czx_evidence *czx_evidence_create(void);
void czx_evidence_destroy(czx_evidence *evidence);

/* Begins anew with the bars at `place`. Returns 1 and sets `corners` to a strip across them with the paper on both
 * sides, or 0 without bars. Negative: see above. */
int32_t czx_evidence_begin(czx_evidence *evidence, const czx_luma *luma, const czx_rect *place, float corners[8]);

/* Adds the next picture, in which the strip stands at `corners`, to about three modules. Returns the number of pictures
 * in the sum; 1: another symbol stands there now, and the sum has begun anew. Negative: see above. */
int32_t czx_evidence_add(czx_evidence *evidence, const czx_luma *luma, const float corners[8]);

/* Reads the pictures together. Returns 1, or 0 while they are unclear. `formats` and `arena` as for `czx_read`; the
 * symbol has no add-on. `margin`: of the likeliest value of EAN and UPC, as of `czx_retail_margin`; 0: none. Negative:
 * see above. Takes one to two milliseconds. */
int32_t czx_evidence_read(const czx_evidence *evidence, uint32_t formats, czx_symbol *out, uint8_t *arena, size_t arena_capacity,
                          float *margin);

/* How one place is looked at; each is one or two attempts of the decoder. */
enum {
    CZX_AS_IT_IS = 0, /* linear symbols in rows and columns, turned level by `angle` if that is neither */
    CZX_ENLARGED,     /* by two */
    CZX_INVERTED,
    CZX_GLOBAL,       /* one threshold for the whole place */
    CZX_STRETCHED,    /* from the darkest to the lightest */
    CZX_LEVELLED,     /* turned by the tilt of its edges */
    CZX_WAYS
};

/* Reads what stands at `rect`, which may reach beyond the picture.
 * `angle`: degrees clockwise of the reading line, as `czx_symbol.orientation`, where it is known; else 0. */
int32_t czx_read_place(czx_reader *reader, const czx_luma *luma, const czx_options *options, const czx_rect *rect,
                       float angle, int32_t way, czx_symbol *out, int32_t capacity, uint8_t *arena,
                       size_t arena_capacity, char *error, size_t error_capacity);

/* The appearance of a symbol, to find it again without reading it. Finding costs a fraction of a decode, and works
 * where blur or noise defeat the decoder. One thread at a time. */
typedef struct czx_pattern czx_pattern;

/* NULL when memory is exhausted. */
czx_pattern *czx_pattern_create(void);
void czx_pattern_destroy(czx_pattern *pattern);

/* Learns the quadrilateral `corners` (as in czx_symbol). Returns 1, or 0 for nothing to follow: less than 8
 * pixels wide, largely outside the picture, or an even surface. Negative: see above. */
int32_t czx_pattern_learn(czx_pattern *pattern, const czx_luma *luma, const float corners[8]);

/* Searches for the symbol around `start`, within half its size. Sets `found` and returns the correlation with the
 * learned appearance, up to 1; 0 for a lost symbol. Negative: see above. */
float czx_pattern_find(czx_pattern *pattern, const czx_luma *luma, const float start[8], float found[8]);

/* Draws `text` (UTF-8, zero-terminated) as a symbol at one byte a module, 0 black and 255 white, rows without padding.
 * There are `quiet_zone` white modules around the symbol (0 to 100). Linear symbols are drawn with a height of a fifth
 * of their width, at least 8 modules.
 *
 * Formats: QR Code, Aztec, Data Matrix, PDF417, Code 128, Code 39, Code 93, Codabar, ITF, EAN-8, EAN-13, UPC-A, UPC-E.
 * `*width` and `*height` are set on success and with CZX_BUFFER_TOO_SMALL. Returns 0 or a negative status. */
int32_t czx_write(uint32_t format, const char *text, int32_t quiet_zone, uint8_t *out, size_t capacity,
                  int32_t *width, int32_t *height, char *error, size_t error_capacity);

#ifdef __cplusplus
}
#endif
#endif
