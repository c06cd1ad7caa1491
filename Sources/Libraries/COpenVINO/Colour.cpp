// SPDX-License-Identifier: Apache-2.0
#include "Colour.hpp"

#include <openvino/op/add.hpp>
#include <openvino/op/clamp.hpp>
#include <openvino/op/constant.hpp>
#include <openvino/op/multiply.hpp>

namespace covn {
namespace {

using Value = ov::Output<ov::Node>;

Value constant(double value) { return ov::op::v0::Constant::create(ov::element::f32, {}, {float(value)}); }
Value plus(const Value &a, const Value &b) { return std::make_shared<ov::op::v1::Add>(a, b); }
Value times(const Value &a, double factor) { return std::make_shared<ov::op::v1::Multiply>(a, constant(factor)); }
Value sample(const Value &value) { return std::make_shared<ov::op::v0::Clamp>(value, 0.0, 255.0); }

/// The shares of red and blue in Y'.
struct Weights {
    double red, blue;
    double green() const { return 1 - red - blue; }
};

Weights weights(covn_matrix matrix) {
    switch (matrix) {
        case COVN_BT709: return {0.2126, 0.0722};
        case COVN_BT2020: return {0.2627, 0.0593};
        default: return {0.299, 0.114};
    }
}

Value unclamped_brightness(const Value &y, bool full_range) {
    return full_range ? y : times(plus(y, constant(-16)), 255.0 / 219);
}

}  // namespace

Colours colours(const Value &y, const Value &u, const Value &v, covn_matrix matrix, bool full_range) {
    const Weights weight = weights(matrix);
    const double scale = 2 * (full_range ? 1 : 255.0 / 224);
    const Value luma = unclamped_brightness(y, full_range);
    const Value blueness = plus(u, constant(-128));
    const Value redness = plus(v, constant(-128));
    const double blue = scale * (1 - weight.blue);
    const double red = scale * (1 - weight.red);
    const Value green = plus(
        times(blueness, -blue * weight.blue / weight.green()), times(redness, -red * weight.red / weight.green()));
    return {sample(plus(luma, times(blueness, blue))), sample(plus(luma, green)),
            sample(plus(luma, times(redness, red)))};
}

Value brightness(const Value &y, bool full_range) { return sample(unclamped_brightness(y, full_range)); }

Value brightness(const Colours &colours) {
    return plus(plus(times(colours.blue, 0.114), times(colours.green, 0.587)), times(colours.red, 0.299));
}

}  // namespace covn
