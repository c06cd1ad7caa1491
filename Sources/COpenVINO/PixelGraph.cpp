#include "PixelGraph.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <openvino/op/concat.hpp>
#include <openvino/op/constant.hpp>
#include <openvino/op/i420_to_bgr.hpp>
#include <openvino/op/i420_to_rgb.hpp>
#include <openvino/op/interpolate.hpp>
#include <openvino/op/nv12_to_bgr.hpp>
#include <openvino/op/nv12_to_rgb.hpp>
#include <openvino/op/pad.hpp>
#include <openvino/op/gather.hpp>
#include <openvino/op/parameter.hpp>
#include <openvino/op/reshape.hpp>

namespace covn {
namespace {

using ov::op::v0::Constant;
using ov::op::v0::Parameter;
using Value = ov::Output<ov::Node>;

bool is_subsampled(covn_pixel_format format) { return format == COVN_NV12 || format == COVN_I420; }

std::shared_ptr<Parameter> plane(Size size, int channels) {
    return std::make_shared<Parameter>(ov::element::u8, ov::PartialShape{1, size.height, size.width, channels});
}

/// Bilinear with half-pixel centres (OpenCV's INTER_LINEAR), of a `[1, rows, columns, channels]` value.
Value resized(const Value &value, Size size) {
    using Interpolate = ov::op::v4::Interpolate;
    using Base = ov::op::util::InterpolateBase;
    const auto interpolate = [](const Value &input, Size to, int64_t first_axis) -> Value {
        Interpolate::InterpolateAttrs attributes;
        attributes.mode = Base::InterpolateMode::LINEAR_ONNX;
        attributes.shape_calculation_mode = Base::ShapeCalcMode::SIZES;
        attributes.coordinate_transformation_mode = Base::CoordinateTransformMode::HALF_PIXEL;
        const auto sizes = Constant::create(ov::element::i64, {2}, {to.height, to.width});
        const auto unused_scales = Constant::create(ov::element::f32, {2}, {1.0F, 1.0F});
        const auto axes = Constant::create(ov::element::i64, {2}, {first_axis, first_axis + 1});
        return std::make_shared<Interpolate>(input, sizes, unused_scales, axes, attributes);
    };
    const auto reshaped = [](const Value &input, const std::vector<int64_t> &shape) -> Value {
        return std::make_shared<ov::op::v1::Reshape>(
            input, Constant::create(ov::element::i64, {shape.size()}, shape), false);
    };
    const auto &shape = value.get_shape();
    if (shape[3] != 1) return interpolate(value, size, 1);
    // One channel is its own planar layout, in which the CPU plugin resizes nearly twice as fast.
    const auto planar = reshaped(value, {1, 1, int64_t(shape[1]), int64_t(shape[2])});
    return reshaped(interpolate(planar, size, 2), {1, size.height, size.width, 1});
}

Value padded(const Value &value, Size from, Size to, float padding) {
    if (from == to) return value;
    const auto begin = Constant::create(ov::element::i64, {4}, {0, 0, 0, 0});
    const auto end = Constant::create(ov::element::i64, {4}, {0, to.height - from.height, to.width - from.width, 0});
    const auto fill = Constant::create(ov::element::u8, {}, {std::lround(std::clamp(padding, 0.0F, 255.0F))});
    return std::make_shared<ov::op::v1::Pad>(value, begin, end, fill, ov::op::PadMode::CONSTANT);
}

template <class ToBGR, class ToRGB, class... Planes>
Value converted(covn_channel_order order, const Planes &...planes) {
    if (order == COVN_CHANNELS_RGB) return std::make_shared<ToRGB>(planes...);
    return std::make_shared<ToBGR>(planes...);
}

}  // namespace

Size filled_part(const covn_model_options &options, Size frame, Size input) {
    Size part = input;
    if (options.fit == COVN_LETTERBOX) {
        const double ratio =
            std::min(double(input.width) / frame.width, double(input.height) / frame.height);
        part.width = std::min<int>(input.width, int(std::lround(frame.width * ratio)));
        part.height = std::min<int>(input.height, int(std::lround(frame.height * ratio)));
    }
    if (is_subsampled(options.pixel_format)) {
        part.width &= ~1;
        part.height &= ~1;
    }
    return {std::max(part.width, 2), std::max(part.height, 2)};
}

std::shared_ptr<ov::Model> with_pixel_inputs(
    const std::shared_ptr<const ov::Model> &network, const covn_model_options &options, Size frame, Size input) {
    const auto model = network->clone();
    const auto old_input = model->get_parameters().at(0);
    const Size part = filled_part(options, frame, input);
    const Size half_frame{frame.width / 2, frame.height / 2};
    const Size half_part{part.width / 2, part.height / 2};

    ov::ParameterVector planes;
    Value pixels;
    switch (options.pixel_format) {
        case COVN_NV12:
            planes = {plane(frame, 1), plane(half_frame, 2)};
            pixels = converted<ov::op::v8::NV12toBGR, ov::op::v8::NV12toRGB>(
                options.channels, resized(planes[0], part), resized(planes[1], half_part));
            break;
        case COVN_I420:
            planes = {plane(frame, 1), plane(half_frame, 1), plane(half_frame, 1)};
            pixels = converted<ov::op::v8::I420toBGR, ov::op::v8::I420toRGB>(
                options.channels, resized(planes[0], part), resized(planes[1], half_part),
                resized(planes[2], half_part));
            break;
        case COVN_GREY: {
            planes = {plane(frame, 1)};
            pixels = resized(planes[0], part);
            if (old_input->get_shape()[3] == 3) {
                pixels = std::make_shared<ov::op::v0::Concat>(ov::OutputVector{pixels, pixels, pixels}, 3);
            }
            break;
        }
        case COVN_BGR:
            planes = {plane(frame, 3)};
            pixels = resized(planes[0], part);
            if (options.channels == COVN_CHANNELS_RGB) {
                pixels = std::make_shared<ov::op::v8::Gather>(
                    pixels, Constant::create(ov::element::i64, {3}, {2, 1, 0}),
                    Constant::create(ov::element::i64, {}, {3}));
            }
            break;
    }

    old_input->output(0).replace(padded(pixels, part, input, options.padding));
    model->remove_parameter(old_input);
    model->add_parameters(planes);
    model->validate_nodes_and_infer_types();
    return model;
}

}  // namespace covn
