// SPDX-License-Identifier: Apache-2.0
// Measures the product's decoder, model and barcode library without other code: one thread, one loop, one JSON line.

#include <chrono>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include <sys/resource.h>

#include <ZXing/ReadBarcode.h>

#include "../../Sources/Libraries/CZXing/include/CZXing.h"
#include "video.hpp"
#include "yunet.hpp"

namespace {

#if __has_include(<ZXing/ReaderOptions.h>) // 2.2 and later
using Options = ZXing::ReaderOptions;
#else
using Options = ZXing::DecodeHints;
#endif

/// Codes in the luma plane. DataBar is left out and one symbol asked for, because ZXing 1.4.0 aborts otherwise.
size_t count_codes(const GstVideoFrame &frame) {
    static const Options hints = [] {
        using ZXing::BarcodeFormat;
        return Options()
            .setFormats(BarcodeFormat::Codabar | BarcodeFormat::Code39 | BarcodeFormat::Code93 |
                        BarcodeFormat::Code128 | BarcodeFormat::EAN8 | BarcodeFormat::EAN13 | BarcodeFormat::ITF |
                        BarcodeFormat::UPCA | BarcodeFormat::UPCE | BarcodeFormat::MatrixCodes)
            .setTryHarder(true)
            .setMaxNumberOfSymbols(1);
    }();
    const ZXing::ImageView luma(static_cast<const uint8_t *>(GST_VIDEO_FRAME_PLANE_DATA(&frame, 0)),
                                GST_VIDEO_FRAME_WIDTH(&frame), GST_VIDEO_FRAME_HEIGHT(&frame),
                                ZXing::ImageFormat::Lum, GST_VIDEO_FRAME_PLANE_STRIDE(&frame, 0));
    return ZXing::ReadBarcodes(luma, hints).size();
}

/// Counts codes with the product's own reader. The only difference to the product is then the code around the reader.
size_t count_codes_with_our_reader(const GstVideoFrame &frame) {
    static czx_reader *const reader = czx_reader_create();
    static czx_symbol symbols[64];
    static uint8_t arena[256 << 10];
    const czx_luma luma{static_cast<const uint8_t *>(GST_VIDEO_FRAME_PLANE_DATA(&frame, 0)),
                        GST_VIDEO_FRAME_WIDTH(&frame), GST_VIDEO_FRAME_HEIGHT(&frame),
                        GST_VIDEO_FRAME_PLANE_STRIDE(&frame, 0)};
    const czx_options options{0, CZX_ADAPTIVE, 0};
    char error[256];
    const int32_t count = czx_read(reader, &luma, &options, symbols, 64, arena, sizeof arena, error, sizeof error);
    if (count < 0) throw std::runtime_error(error);
    return size_t(count);
}

double seconds(const timeval &time) { return double(time.tv_sec) + double(time.tv_usec) * 1e-6; }

}  // namespace

int main(int count, char **arguments) try {
    int width = 0, height = 0;
    const auto wants = [&](const char *reader) { return count == 5 && std::strcmp(arguments[4], reader) == 0; };
    if (count != 5 || std::sscanf(arguments[3], "%dx%d", &width, &height) != 2 ||
        !(wants("zxing") || wants("czxing") || wants("none"))) {
        std::fprintf(stderr, "usage: %s VIDEO YUNET.onnx WIDTHxHEIGHT zxing|czxing|none\n", arguments[0]);
        return 64;
    }
    gst_init(nullptr, nullptr);
    const auto start = std::chrono::steady_clock::now();
    YuNet detector(arguments[2], width, height);
    size_t frames = 0, faces = 0, codes = 0;
    for_each_frame(arguments[1], [&](const GstVideoFrame &frame) {
        frames += 1;
        faces += detector.detect(frame).size();
        if (wants("zxing")) codes += count_codes(frame);
        if (wants("czxing")) codes += count_codes_with_our_reader(frame);
    });

    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    const double user = seconds(usage.ru_utime), system = seconds(usage.ru_stime);
    std::printf("{\"frames\":%zu,\"faces\":%zu,\"codes\":%zu,\"cpu_s\":%.3f,\"user_s\":%.3f,\"system_s\":%.3f,"
                "\"wall_s\":%.3f,\"max_rss_kib\":%ld}\n",
                frames, faces, codes, user + system, user, system, wall.count(), usage.ru_maxrss);
    return 0;
} catch (const std::exception &error) {
    std::fprintf(stderr, "baseline: %s\n", error.what());
    return 1;
}
