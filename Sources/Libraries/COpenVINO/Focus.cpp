// SPDX-License-Identifier: Apache-2.0
#include "Focus.hpp"

#include <optional>
#include <vector>

#include <openvino/op/concat.hpp>
#include <openvino/op/constant.hpp>
#include <openvino/op/reshape.hpp>
#include <openvino/op/slice.hpp>
#include <openvino/op/transpose.hpp>

namespace covn {
namespace {

using ov::op::v0::Constant;
using Value = ov::Output<ov::Node>;

/// Every other row, or every other column, from `start` on.
struct Half {
    Value whole;
    int64_t axis, start;
};

std::optional<int64_t> number(const Value &value) {
    const auto constant = ov::as_type_ptr<Constant>(value.get_node_shared_ptr());
    if (!constant || ov::shape_size(constant->get_shape()) != 1) return std::nullopt;
    return constant->cast_vector<int64_t>()[0];
}

std::optional<Half> half(const Value &value) {
    const auto slice = ov::as_type_ptr<ov::op::v8::Slice>(value.get_node_shared_ptr());
    if (!slice || slice->get_input_size() != 5) return std::nullopt;
    const Value whole = slice->input_value(0);
    const auto start = number(slice->input_value(1)), step = number(slice->input_value(3)),
               axis = number(slice->input_value(4));
    if (whole.get_partial_shape().is_dynamic() || whole.get_shape().size() != 4) return std::nullopt;
    if (step != 2 || (start != 0 && start != 1) || (axis != 2 && axis != 3)) return std::nullopt;
    const size_t length = whole.get_shape()[size_t(*axis)];
    // The stop may be any number past the end, so the slice's own length tells that it reaches the end.
    if (length % 2 != 0 || slice->get_output_shape(0)[size_t(*axis)] != length / 2) return std::nullopt;
    return Half{whole, *axis, *start};
}

/// The picture of which a concatenation has every other row and column as channels; nothing if it is no Focus stem.
std::optional<Value> focused(const ov::Node &node) {
    const auto concat = ov::as_type<const ov::op::v0::Concat>(&node);
    if (!concat || concat->get_input_size() != 4 || concat->get_axis() != 1) return std::nullopt;
    std::optional<Value> picture;
    for (int64_t part = 0; part < 4; ++part) {
        const auto inner = half(concat->input_value(size_t(part)));
        const auto outer = inner ? half(inner->whole) : std::nullopt;
        if (!outer || outer->axis == inner->axis || (picture && *picture != outer->whole)) return std::nullopt;
        const Half &rows = outer->axis == 2 ? *outer : *inner, &columns = outer->axis == 2 ? *inner : *outer;
        if (rows.start != part % 2 || columns.start != part / 2) return std::nullopt;
        picture = outer->whole;
    }
    return picture;
}

Value reshaped(const Value &value, const std::vector<size_t> &shape) {
    return std::make_shared<ov::op::v1::Reshape>(value, Constant::create(ov::element::i64, {shape.size()}, shape), false);
}

}  // namespace

void transpose_focus(ov::Model &model) {
    for (const auto &node : model.get_ordered_ops()) {
        const auto picture = focused(*node);
        if (!picture) continue;
        const ov::Shape shape = picture->get_shape();
        const size_t rows = shape[2] / 2, columns = shape[3] / 2;
        // From picture, channel, row, row of the block, column, column of the block.
        const std::vector<int64_t> order{0, 5, 3, 1, 2, 4};
        const auto blocks = std::make_shared<ov::op::v1::Transpose>(
            reshaped(*picture, {shape[0], shape[1], rows, 2, columns, 2}), Constant::create(ov::element::i64, {6}, order));
        node->output(0).replace(reshaped(blocks, {shape[0], 4 * shape[1], rows, columns}));
    }
}

}  // namespace covn
