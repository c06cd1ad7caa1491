// SPDX-License-Identifier: Apache-2.0
// Draws symbols, reads them in noise, and follows them by some pixels, through the interface of CZXing. Prints what it
// finds, so that two processors can be compared.
#include "CZXing.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace {

struct Picture {
    int width = 0, height = 0;
    std::vector<uint8_t> pixels;

    czx_luma luma() const { return {pixels.data(), width, height, width}; }
};

// A symbol of `modules` at (left, top), four pixels a module, on grey paper with noise. The noise is the same on each
// machine.
Picture picture(const std::vector<uint8_t> &modules, int columns, int rows, int left, int top, uint32_t seed) {
    constexpr int scale = 4, margin = 40;
    // Linear symbols have a row of one module.
    const int tall = rows == 1 ? 20 : 1;
    Picture made{columns * scale + 2 * margin, rows * tall * scale + 2 * margin, {}};
    made.pixels.assign(size_t(made.width) * made.height, 200);
    for (int y = 0; y < rows * tall * scale; y++)
        for (int x = 0; x < columns * scale; x++) {
            const uint8_t module = modules[size_t(y / scale / tall) * columns + x / scale];
            made.pixels[size_t(y + top + margin / 2) * made.width + x + left + margin / 2] = module ? 215 : 45;
        }
    for (uint8_t &pixel : made.pixels) {
        seed = seed * 1664525 + 1013904223;
        pixel = uint8_t(pixel + int(seed >> 28) - 8);
    }
    return made;
}

void print(const char *what, uint32_t format, const char *text, const float *corners) {
    printf("%s %x %s", what, format, text);
    for (int i = 0; i < 8; i++) printf(" %.2f", double(corners[i]));
    printf("\n");
}

}  // namespace

int main() {
    std::unique_ptr<czx_reader, void (*)(czx_reader *)> reader(czx_reader_create(), czx_reader_destroy);
    std::unique_ptr<czx_pattern, void (*)(czx_pattern *)> pattern(czx_pattern_create(), czx_pattern_destroy);
    int found = 0;
    for (uint32_t bit = 0; bit < 32; bit++) {
        const uint32_t format = 1u << bit;
        if (!(czx_readable_formats() & format)) continue;
        for (const char *text : {"4006381333931", "40063812", "00614141453", "GLIMPSE-0042", "A40156B", "Gr\u00fc\u00dfe"}) {
            std::vector<uint8_t> modules(1 << 20);
            int32_t columns = 0, rows = 0;
            char error[200];
            if (czx_write(format, text, 4, modules.data(), modules.size(), &columns, &rows, error, sizeof error) < 0) continue;
            // A linear symbol may have many rows, all equal.
            if (memcmp(modules.data(), modules.data() + columns, size_t(rows - 1) * columns) == 0) rows = 1;
            const Picture first = picture(modules, columns, rows, 20, 20, 1), next = picture(modules, columns, rows, 24, 17, 2);
            const czx_luma luma = first.luma(), later = next.luma();
            const czx_options options{format, CZX_THOROUGH, 0};
            czx_symbol symbols[4];
            uint8_t arena[4096];
            const int count = czx_read(reader.get(), &luma, &options, symbols, 4, arena, sizeof arena, error, sizeof error);
            printf("drawn %x %s: %d\n", format, text, count);
            for (int i = 0; i < count; i++) {
                const std::string_view value(reinterpret_cast<char *>(arena) + symbols[i].text_offset, symbols[i].text_length);
                print("read", symbols[i].format, std::string(value).c_str(), symbols[i].corners);
                float at[8];
                if (czx_pattern_learn(pattern.get(), &luma, symbols[i].corners) != 1) continue;
                const float likeness = czx_pattern_find(pattern.get(), &later, symbols[i].corners, at);
                printf("likeness %.2f\n", double(likeness));
                print("followed", symbols[i].format, "", at);
                found++;
            }
        }
    }
    printf("%d symbols\n", found);
    return found > 0 ? 0 : 1;
}
