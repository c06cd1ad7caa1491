#include "PixelGraph.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <openvino/op/concat.hpp>
#include <openvino/op/constant.hpp>
#include <openvino/op/i420_to_bgr.hpp>
#include <openvino/op/i420_to_rgb.hpp>
#include <openvino/op/nv12_to_bgr.hpp>
#include <openvino/op/nv12_to_rgb.hpp>
#include <openvino/op/pad.hpp>
#include <openvino/op/gather.hpp>
#include <openvino/op/parameter.hpp>

namespace covn {
namespace {

using ov::op::v0::Constant;
using ov::op::v0::Parameter;
using Value = ov::Output<ov::Node>;

bool is_subsampled(covn_pixel_format format) { return format == COVN_NV12 || format == COVN_I420; }

std::shared_ptr<Parameter> plane(Size size, int channels) {
    return std::make_shared<Parameter>(ov::element::u8, ov::PartialShape{1, size.height, size.width, channels});
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
    const std::shared_ptr<const ov::Model> &network, const covn_model_options &options, Size part, Size input) {
    const auto model = network->clone();
    const auto old_input = model->get_parameters().at(0);
    const Size half{part.width / 2, part.height / 2};

    ov::ParameterVector planes;
    Value pixels;
    switch (options.pixel_format) {
        case COVN_NV12:
            planes = {plane(part, 1), plane(half, 2)};
            pixels = converted<ov::op::v8::NV12toBGR, ov::op::v8::NV12toRGB>(
                options.channels, planes[0], planes[1]);
            break;
        case COVN_I420:
            planes = {plane(part, 1), plane(half, 1), plane(half, 1)};
            pixels = converted<ov::op::v8::I420toBGR, ov::op::v8::I420toRGB>(
                options.channels, planes[0], planes[1], planes[2]);
            break;
        case COVN_GREY: {
            planes = {plane(part, 1)};
            pixels = planes[0];
            if (old_input->get_shape()[3] == 3) {
                pixels = std::make_shared<ov::op::v0::Concat>(ov::OutputVector{pixels, pixels, pixels}, 3);
            }
            break;
        }
        case COVN_BGR:
            planes = {plane(part, 3)};
            pixels = planes[0];
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
