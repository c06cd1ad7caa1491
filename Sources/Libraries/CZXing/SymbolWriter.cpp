// SPDX-License-Identifier: Apache-2.0
// Drawing symbols: `czx_write` over ZXing's MultiFormatWriter.

#include "CZXing.h"
#include "ErrorReport.hpp"
#include "Formats.hpp"

#include <ZXing/BitMatrix.h>
#include <ZXing/CharacterSet.h>
#include <ZXing/MultiFormatWriter.h>

#include <algorithm>
#include <exception>

namespace {

constexpr uint32_t writable = CZX_QR_CODE | CZX_AZTEC | CZX_DATA_MATRIX | CZX_PDF417 | CZX_CODE_128 | CZX_CODE_39
    | CZX_CODE_93 | CZX_CODABAR | CZX_ITF | CZX_EAN_8 | CZX_EAN_13 | CZX_UPC_A | CZX_UPC_E;

/// `format` is one bit of `writable`.
ZXing::BarcodeFormat drawn(uint32_t format) {
#if ZXING_VERSION_MAJOR >= 3 // which draws families, not members
    if (format == CZX_QR_CODE) return ZXing::BarcodeFormat::QRCode;
    if (format == CZX_PDF417) return ZXing::BarcodeFormat::PDF417;
    if (format == CZX_CODE_39) return ZXing::BarcodeFormat::Code39;
#endif
    for (const auto &pair : glimpse::formatPairs)
        if (pair.ours == format) return pair.theirs;
    return ZXing::BarcodeFormat::None;
}

/// The symbol's own extent; the writer leaves different margins around different symbologies.
struct Extent {
    int left, top, width, height;
};

Extent inkExtent(const ZXing::BitMatrix &bits) {
    int left = bits.width(), right = -1, top = bits.height(), bottom = -1;
    for (int y = 0; y < bits.height(); ++y)
        for (int x = 0; x < bits.width(); ++x)
            if (bits.get(x, y)) {
                left = std::min(left, x), right = std::max(right, x);
                top = std::min(top, y), bottom = std::max(bottom, y);
            }
    return {left, top, right - left + 1, bottom - top + 1};
}

} // namespace

int32_t czx_write(uint32_t format, const char *text, int32_t quiet_zone, uint8_t *out, size_t capacity, int32_t *width,
                  int32_t *height, char *error, size_t error_capacity) {
    using namespace glimpse;
    if (!text || !width || !height || (!out && capacity > 0) || quiet_zone < 0 || quiet_zone > 100)
        return report(CZX_INVALID_ARGUMENT, "text, width or height is missing, or the quiet zone is not 0 to 100",
                      error, error_capacity);
    if (!isOneFormat(format) || !(format & writable))
        return report(CZX_UNSUPPORTED_FORMAT, "this symbology cannot be drawn", error, error_capacity);
    try {
        auto bits = ZXing::MultiFormatWriter(drawn(format))
                        .setEncoding(ZXing::CharacterSet::UTF8)
                        .setMargin(0)
                        .encode(std::string(text), 0, 0);
        Extent ink = inkExtent(bits);
        if (ink.width <= 0)
            return report(CZX_DECODER_FAILED, "the writer drew nothing", error, error_capacity);
        bool linear = (format & linearFormats) != 0;
        int inkHeight = linear ? std::max(8, ink.width / 5) : ink.height;
        *width = ink.width + 2 * quiet_zone;
        *height = inkHeight + 2 * quiet_zone;
        size_t needed = size_t(*width) * size_t(*height);
        if (capacity < needed)
            return report(CZX_BUFFER_TOO_SMALL, "the buffer is too small for the symbol", error, error_capacity);
        std::fill(out, out + needed, uint8_t(255));
        for (int y = 0; y < inkHeight; ++y) {
            uint8_t *row = out + size_t(y + quiet_zone) * size_t(*width) + quiet_zone;
            for (int x = 0; x < ink.width; ++x)
                if (bits.get(ink.left + x, linear ? ink.top : ink.top + y)) row[x] = 0;
        }
        return 0;
    } catch (const std::exception &e) {
        return report(CZX_DECODER_FAILED, e.what(), error, error_capacity);
    } catch (...) {
        return report(CZX_DECODER_FAILED, "the writer failed", error, error_capacity);
    }
}
