// SPDX-License-Identifier: Apache-2.0
#include "Resampling.hpp"

#include <algorithm>
#include <cmath>

#include <openvino/op/add.hpp>
#include <openvino/op/constant.hpp>
#include <openvino/op/convert.hpp>
#include <openvino/op/gather.hpp>
#include <openvino/op/multiply.hpp>
#include <openvino/op/reshape.hpp>
#include <openvino/op/subtract.hpp>

namespace covn {
namespace {

using ov::op::v0::Constant;
using Value = ov::Output<ov::Node>;

/// For each sample of the target, the two source samples around it. `share` is how far the sample is from the first to
/// the second, 0...1.
struct Taps {
    std::vector<int32_t> first, second;
    std::vector<float> share;

    Taps(int source, int target) {
        for (int i = 0; i < target; i++) {
            const double position =
                std::clamp((i + 0.5) * source / target - 0.5, 0.0, double(source - 1));
            const int whole = int(std::floor(position));
            first.push_back(whole);
            second.push_back(std::min(whole + 1, source - 1));
            share.push_back(float(position - whole));
        }
    }

    bool is_identity(int source) const { return int(first.size()) == source; }
};

Value gathered(const Value &value, const std::vector<int32_t> &indices, int64_t axis) {
    return std::make_shared<ov::op::v8::Gather>(
        value, Constant::create(ov::element::i32, {indices.size()}, indices),
        Constant::create(ov::element::i64, {}, {axis}));
}

Value as_float(const Value &value) { return std::make_shared<ov::op::v0::Convert>(value, ov::element::f32); }

Value between(const Value &first, const Value &second, const std::vector<float> &share, const ov::Shape &shape) {
    const auto difference = std::make_shared<ov::op::v1::Subtract>(second, first);
    const auto part =
        std::make_shared<ov::op::v1::Multiply>(difference, Constant::create(ov::element::f32, shape, share));
    return std::make_shared<ov::op::v1::Add>(first, part);
}

/// Indices of one channel's samples among `channels` interleaved ones.
std::vector<int32_t> interleaved(std::vector<int32_t> indices, int channels, int channel) {
    for (auto &index : indices) index = index * channels + channel;
    return indices;
}

}  // namespace

std::vector<Value> resampled(const Value &plane, Size size) {
    const auto &shape = plane.get_shape();
    const int rows = int(shape[1]), columns = int(shape[2]), channels = int(shape[3]);
    const std::vector<int64_t> flat{rows, int64_t(columns) * channels};
    const Value samples =
        std::make_shared<ov::op::v1::Reshape>(plane, Constant::create(ov::element::i64, {2}, flat), false);

    // Rows first, as bytes: they are copied whole. All channels at once.
    const Taps vertical(rows, size.height);
    const Value lines = vertical.is_identity(rows)
                            ? as_float(samples)
                            : between(as_float(gathered(samples, vertical.first, 0)),
                                      as_float(gathered(samples, vertical.second, 0)), vertical.share,
                                      {size_t(size.height), 1});
    const Taps horizontal(columns, size.width);
    const bool is_wide_enough = horizontal.is_identity(columns);
    std::vector<Value> result;
    for (int channel = 0; channel < channels; channel++) {
        if (is_wide_enough && channels == 1) return {lines};
        const Value first = gathered(lines, interleaved(horizontal.first, channels, channel), 1);
        result.push_back(is_wide_enough
                             ? first
                             : between(first, gathered(lines, interleaved(horizontal.second, channels, channel), 1),
                                       horizontal.share, {size_t(size.width)}));
    }
    return result;
}

}  // namespace covn
