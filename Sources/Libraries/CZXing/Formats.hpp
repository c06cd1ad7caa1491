// SPDX-License-Identifier: Apache-2.0
// Our symbology bits and ZXing's.
#pragma once

#include "CZXing.h"

#include <ZXing/BarcodeFormat.h>
#if __has_include(<ZXing/Version.h>)
#include <ZXing/Version.h>
#else
#include <ZXing/ZXVersion.h> // before 2.3
#endif

#include <cstdint>
#include <utility>
#include <vector>

namespace glimpse {

constexpr uint32_t matrixFormats = CZX_QR_CODE | CZX_MICRO_QR_CODE | CZX_RMQR_CODE | CZX_AZTEC | CZX_DATA_MATRIX
    | CZX_PDF417 | CZX_MICRO_PDF417 | CZX_MAXI_CODE;
constexpr uint32_t dataBarFormats = CZX_DATABAR | CZX_DATABAR_LIMITED | CZX_DATABAR_EXPANDED;
constexpr uint32_t upcEanFormats = CZX_EAN_8 | CZX_EAN_13 | CZX_UPC_A | CZX_UPC_E;
/// Linear symbologies with a weak check or none: parts of other codes and textures are read as one.
constexpr uint32_t uncheckedFormats = CZX_ITF | CZX_CODE_39 | CZX_CODABAR | CZX_TELEPEN;
constexpr uint32_t linearFormats =
    dataBarFormats | upcEanFormats | uncheckedFormats | CZX_CODE_128 | CZX_CODE_93 | CZX_DX_FILM_EDGE;
constexpr uint32_t allFormats = matrixFormats | linearFormats;

inline bool isOneFormat(uint32_t f) { return f != 0 && (f & (f - 1)) == 0 && (f & allFormats) == f; }

struct FormatPair {
    uint32_t ours;
    ZXing::BarcodeFormat theirs;
};

/// One of ours may be several of theirs.
constexpr FormatPair formatPairs[] = {
    {CZX_AZTEC, ZXing::BarcodeFormat::Aztec},
    {CZX_DATA_MATRIX, ZXing::BarcodeFormat::DataMatrix},
    {CZX_MAXI_CODE, ZXing::BarcodeFormat::MaxiCode},
    {CZX_CODE_128, ZXing::BarcodeFormat::Code128},
    {CZX_CODE_93, ZXing::BarcodeFormat::Code93},
    {CZX_CODABAR, ZXing::BarcodeFormat::Codabar},
    {CZX_ITF, ZXing::BarcodeFormat::ITF},
    {CZX_EAN_8, ZXing::BarcodeFormat::EAN8},
    {CZX_EAN_13, ZXing::BarcodeFormat::EAN13},
    {CZX_UPC_A, ZXing::BarcodeFormat::UPCA},
    {CZX_UPC_E, ZXing::BarcodeFormat::UPCE},
    {CZX_MICRO_QR_CODE, ZXing::BarcodeFormat::MicroQRCode},
#if ZXING_VERSION_MAJOR >= 3
    // Families have members of their own bit here, and members that rewrite the content (Code 32, PZN): so the members.
    {CZX_QR_CODE, ZXing::BarcodeFormat::QRCodeModel2},
    {CZX_QR_CODE, ZXing::BarcodeFormat::QRCodeModel1},
    {CZX_RMQR_CODE, ZXing::BarcodeFormat::RMQRCode},
    {CZX_PDF417, ZXing::BarcodeFormat::CompactPDF417},
    {CZX_MICRO_PDF417, ZXing::BarcodeFormat::MicroPDF417},
    {CZX_CODE_39, ZXing::BarcodeFormat::Code39Std},
    {CZX_CODE_39, ZXing::BarcodeFormat::Code39Ext},
    {CZX_DATABAR, ZXing::BarcodeFormat::DataBarOmni},
    {CZX_DATABAR, ZXing::BarcodeFormat::DataBarStk},
    {CZX_DATABAR, ZXing::BarcodeFormat::DataBarStkOmni},
    {CZX_DATABAR_LIMITED, ZXing::BarcodeFormat::DataBarLtd},
    {CZX_DATABAR_EXPANDED, ZXing::BarcodeFormat::DataBarExp},
    {CZX_DATABAR_EXPANDED, ZXing::BarcodeFormat::DataBarExpStk},
    {CZX_TELEPEN, ZXing::BarcodeFormat::Telepen},
    {CZX_DX_FILM_EDGE, ZXing::BarcodeFormat::DXFilmEdge},
#else
    {CZX_QR_CODE, ZXing::BarcodeFormat::QRCode},
    {CZX_PDF417, ZXing::BarcodeFormat::PDF417},
    {CZX_CODE_39, ZXing::BarcodeFormat::Code39},
    {CZX_DATABAR, ZXing::BarcodeFormat::DataBar},
    {CZX_DATABAR_EXPANDED, ZXing::BarcodeFormat::DataBarExpanded},
#if __has_include(<ZXing/ReaderOptions.h>) // 2.2 and later
    {CZX_RMQR_CODE, ZXing::BarcodeFormat::RMQRCode},
    {CZX_DX_FILM_EDGE, ZXing::BarcodeFormat::DXFilmEdge},
#endif
#endif
};

/// The formats that this build's decoder can read.
constexpr uint32_t readableFormats = [] {
    uint32_t all = 0;
    for (const auto &pair : formatPairs) all |= pair.ours;
    return all;
}();

/// 0 for a symbology that has no bit here.
inline uint32_t fromZXing(ZXing::BarcodeFormat f) {
    for (const auto &pair : formatPairs)
        if (pair.theirs == f) return pair.ours;
#if ZXING_VERSION_MAJOR >= 3
    // Results may name the family, and members that were not asked for by name.
    if (f == ZXing::BarcodeFormat::QRCode) return CZX_QR_CODE;
    if (f == ZXing::BarcodeFormat::PDF417) return CZX_PDF417;
    if (f == ZXing::BarcodeFormat::Code39) return CZX_CODE_39;
    if (f == ZXing::BarcodeFormat::DataBar) return CZX_DATABAR;
    for (const auto &pair : formatPairs)
        if (f <= pair.theirs) return pair.ours;
#endif
    return 0;
}

inline ZXing::BarcodeFormats toZXingSet(uint32_t formats) {
#if ZXING_VERSION_MAJOR >= 3
    std::vector<ZXing::BarcodeFormat> set;
    for (const auto &pair : formatPairs)
        if (formats & pair.ours) set.push_back(pair.theirs);
    return ZXing::BarcodeFormats(std::move(set));
#else
    ZXing::BarcodeFormats set;
    for (const auto &pair : formatPairs)
        if (formats & pair.ours) set |= pair.theirs;
    return set;
#endif
}

} // namespace glimpse
