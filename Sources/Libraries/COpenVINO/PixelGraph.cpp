// SPDX-License-Identifier: Apache-2.0
#include "PixelGraph.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <openvino/op/add.hpp>
#include <openvino/op/concat.hpp>
#include <openvino/op/constant.hpp>
#include <openvino/op/convert.hpp>
#include <openvino/op/multiply.hpp>
#include <openvino/op/pad.hpp>
#include <openvino/op/parameter.hpp>
#include <openvino/op/reshape.hpp>
#include <openvino/op/round.hpp>

#include "Colour.hpp"
#include "Focus.hpp"
#include "Resampling.hpp"

namespace covn {
namespace {

using ov::op::v0::Constant;
using ov::op::v0::Parameter;
using Value = ov::Output<ov::Node>;

std::shared_ptr<Parameter> plane(Size size, int channels) {
    return std::make_shared<Parameter>(ov::element::u8, ov::PartialShape{1, size.height, size.width, channels});
}

std::vector<Value> ordered(const Colours &colours, covn_channels order) {
    switch (order) {
        case COVN_CHANNELS_RGB: return {colours.red, colours.green, colours.blue};
        case COVN_CHANNELS_GREY: return {brightness(colours)};
        default: return {colours.blue, colours.green, colours.red};
    }
}

/// Adds the picture's planes to `planes` and gives the network's channels, 0...255.
std::vector<Value> channels(
    covn_channels order, const covn_graph_options &options, Size part, ov::ParameterVector &planes) {
    const Size frame{options.frame_width, options.frame_height};
    const Size half{frame.width / 2, frame.height / 2};
    const bool is_grey = order == COVN_CHANNELS_GREY;
    std::vector<Value> samples;
    const auto add = [&](Size size, int count) {
        planes.push_back(plane(size, count));
        const auto more = resampled(planes.back(), part);
        samples.insert(samples.end(), more.begin(), more.end());
    };
    switch (options.pixel_format) {
        case COVN_GREY:
            add(frame, 1);
            return std::vector<Value>(is_grey ? 1 : 3, samples[0]);
        case COVN_BGR:
            add(frame, 3);
            return ordered({samples[0], samples[1], samples[2]}, order);
        case COVN_NV12:
        case COVN_I420: break;
    }
    add(frame, 1);
    if (is_grey) return {brightness(samples[0], options.full_range)};
    if (options.pixel_format == COVN_NV12) {
        add(half, 2);
    } else {
        add(half, 1);
        add(half, 1);
    }
    return ordered(colours(samples[0], samples[1], samples[2], options.matrix, options.full_range), order);
}

/// `(value - mean) / scale`, as a picture of one channel within its padding.
Value placed(const Value &value, const Network &network, const covn_graph_options &options, size_t channel) {
    const Placement place = placement(options, network.input);
    const float mean = options.mean[channel];
    const float factor = options.scale[channel] == 0 ? 1 : 1 / options.scale[channel];
    Value result = value;
    if (mean != 0) {
        result = std::make_shared<ov::op::v1::Add>(result, Constant::create(ov::element::f32, {}, {-mean}));
    }
    if (factor != 1) {
        result = std::make_shared<ov::op::v1::Multiply>(result, Constant::create(ov::element::f32, {}, {factor}));
    }
    const int rows = network.channels_last ? 1 : 2;
    std::vector<int64_t> shape(4, 1), begin(4, 0), end(4, 0);
    shape[rows] = place.part.height;
    shape[rows + 1] = place.part.width;
    result = std::make_shared<ov::op::v1::Reshape>(result, Constant::create(ov::element::i64, {4}, shape), false);
    if (place.part == network.input) return result;
    begin[rows] = place.top;
    begin[rows + 1] = place.left;
    end[rows] = network.input.height - place.part.height - place.top;
    end[rows + 1] = network.input.width - place.part.width - place.left;
    const float padding = (std::clamp(options.padding, 0.0F, 255.0F) - mean) * factor;
    return std::make_shared<ov::op::v1::Pad>(
        result, Constant::create(ov::element::i64, {4}, begin), Constant::create(ov::element::i64, {4}, end),
        Constant::create(ov::element::f32, {}, {padding}), ov::op::PadMode::CONSTANT);
}

/// Converts to the type of the network's own input: whole numbers for quantised networks.
Value typed(const Value &value, const ov::element::Type &type) {
    if (type == ov::element::f32) return value;
    const Value rounded = type.is_real() ? value
                                         : std::make_shared<ov::op::v5::Round>(
                                               value, ov::op::v5::Round::RoundMode::HALF_TO_EVEN)
                                               ->output(0);
    return std::make_shared<ov::op::v0::Convert>(rounded, type);
}

}  // namespace

Placement placement(const covn_graph_options &options, Size input) {
    if (options.fit == COVN_STRETCH) return {input};
    double ratio = std::min(double(input.width) / options.frame_width, double(input.height) / options.frame_height);
    if (options.fit == COVN_INSET) ratio = std::min(ratio, 1.0);
    const Size part{
        std::clamp(int(std::lround(options.frame_width * ratio)), 1, input.width),
        std::clamp(int(std::lround(options.frame_height * ratio)), 1, input.height)};
    if (options.fit != COVN_LETTERBOX_CENTRE) return {part};
    return {part, (input.width - part.width) / 2, (input.height - part.height) / 2};
}

std::shared_ptr<ov::Model> with_pixel_inputs(const Network &network, const covn_graph_options &options) {
    const auto model = model_of(network)->clone();
    const auto input = model->get_parameters().at(0);
    ov::ParameterVector planes;
    ov::OutputVector pictures;
    for (const auto &value : channels(network.source.channels, options, placement(options, network.input).part, planes)) {
        pictures.push_back(placed(value, network, options, pictures.size()));
    }
    const Value picture = pictures.size() == 1
                              ? pictures[0]
                              : std::make_shared<ov::op::v0::Concat>(pictures, network.channels_last ? 3 : 1)->output(0);
    input->output(0).replace(typed(picture, input->get_element_type()));
    model->remove_parameter(input);
    model->add_parameters(planes);
    model->validate_nodes_and_infer_types();
    transpose_focus(*model);
    return model;
}

}  // namespace covn
