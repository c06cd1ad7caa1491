// Our symbology bits and ZXing's.
#pragma once

#include "CZXing.h"

#include <ZXing/BarcodeFormat.h>

#include <cstdint>

namespace glimpse {

constexpr uint32_t matrixFormats =
    CZX_QR_CODE | CZX_MICRO_QR_CODE | CZX_AZTEC | CZX_DATA_MATRIX | CZX_PDF417 | CZX_MAXI_CODE;
constexpr uint32_t dataBarFormats = CZX_DATABAR | CZX_DATABAR_EXPANDED;
constexpr uint32_t upcEanFormats = CZX_EAN_8 | CZX_EAN_13 | CZX_UPC_A | CZX_UPC_E;
/// Linear symbologies without a mandatory check character: parts of one read as another.
constexpr uint32_t uncheckedFormats = CZX_ITF | CZX_CODE_39 | CZX_CODABAR;
constexpr uint32_t linearFormats =
    dataBarFormats | upcEanFormats | uncheckedFormats | CZX_CODE_128 | CZX_CODE_93;
constexpr uint32_t allFormats = matrixFormats | linearFormats;

inline bool isOneFormat(uint32_t f) { return f != 0 && (f & (f - 1)) == 0 && (f & allFormats) == f; }

struct FormatPair {
    uint32_t ours;
    ZXing::BarcodeFormat theirs;
};

constexpr FormatPair formatPairs[] = {
    {CZX_QR_CODE, ZXing::BarcodeFormat::QRCode},
    {CZX_MICRO_QR_CODE, ZXing::BarcodeFormat::MicroQRCode},
    {CZX_AZTEC, ZXing::BarcodeFormat::Aztec},
    {CZX_DATA_MATRIX, ZXing::BarcodeFormat::DataMatrix},
    {CZX_PDF417, ZXing::BarcodeFormat::PDF417},
    {CZX_MAXI_CODE, ZXing::BarcodeFormat::MaxiCode},
    {CZX_CODE_128, ZXing::BarcodeFormat::Code128},
    {CZX_CODE_39, ZXing::BarcodeFormat::Code39},
    {CZX_CODE_93, ZXing::BarcodeFormat::Code93},
    {CZX_CODABAR, ZXing::BarcodeFormat::Codabar},
    {CZX_ITF, ZXing::BarcodeFormat::ITF},
    {CZX_EAN_8, ZXing::BarcodeFormat::EAN8},
    {CZX_EAN_13, ZXing::BarcodeFormat::EAN13},
    {CZX_UPC_A, ZXing::BarcodeFormat::UPCA},
    {CZX_UPC_E, ZXing::BarcodeFormat::UPCE},
    {CZX_DATABAR, ZXing::BarcodeFormat::DataBar},
    {CZX_DATABAR_EXPANDED, ZXing::BarcodeFormat::DataBarExpanded},
};

/// 0 for a symbology that has no bit here.
inline uint32_t fromZXing(ZXing::BarcodeFormat f) {
    for (const auto &pair : formatPairs)
        if (pair.theirs == f) return pair.ours;
    return 0;
}

/// `f` is one bit.
inline ZXing::BarcodeFormat toZXing(uint32_t f) {
    for (const auto &pair : formatPairs)
        if (pair.ours == f) return pair.theirs;
    return ZXing::BarcodeFormat::None;
}

inline ZXing::BarcodeFormats toZXingSet(uint32_t formats) {
    ZXing::BarcodeFormats set;
    for (const auto &pair : formatPairs)
        if (formats & pair.ours) set |= pair.theirs;
    return set;
}

} // namespace glimpse
