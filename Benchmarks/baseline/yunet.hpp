// SPDX-License-Identifier: Apache-2.0
// YuNet on NV12 through OpenVINO's own preprocessing, one thread.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gst/video/video.h>
#include <openvino/openvino.hpp>

struct Face {
    float x, y, width, height;  // pixels of the frame
    float score;                // 0...1
};

class YuNet {
public:
    YuNet(const std::string &path, int width, int height) : width(width), height(height), path(path) {}

    /// Faces of a score of 0.7 or more, after non-maximum suppression at an overlap of 0.3.
    std::vector<Face> detect(const GstVideoFrame &frame) {
        const size_t columns = GST_VIDEO_FRAME_WIDTH(&frame) & ~1;
        const size_t rows = GST_VIDEO_FRAME_HEIGHT(&frame) & ~1;
        if (columns != frame_columns || rows != frame_rows) compile(columns, rows);
        request.set_input_tensor(0, plane(frame, 0, {1, rows, columns, 1}));
        request.set_input_tensor(1, plane(frame, 1, {1, rows / 2, columns / 2, 2}));
        request.infer();

        std::vector<Face> candidates;
        for (const int stride : {8, 16, 32}) decode(stride, candidates);
        std::sort(candidates.begin(), candidates.end(), [](const Face &a, const Face &b) { return a.score > b.score; });
        std::vector<Face> faces;
        for (const Face &candidate : candidates) {
            const auto overlaps = [&](const Face &kept) { return overlap(candidate, kept) > 0.3F; };
            if (std::none_of(faces.begin(), faces.end(), overlaps)) faces.push_back(candidate);
        }
        return faces;
    }

private:
    void compile(size_t columns, size_t rows) {
        auto model = core.read_model(path);
        model->reshape(ov::PartialShape{1, 3, height, width});
        ov::preprocess::PrePostProcessor processor(model);
        auto &input = processor.input();
        input.tensor()
            .set_element_type(ov::element::u8)
            .set_color_format(ov::preprocess::ColorFormat::NV12_TWO_PLANES, {"y", "uv"})
            .set_spatial_static_shape(rows, columns);
        input.preprocess()
            .convert_color(ov::preprocess::ColorFormat::BGR)
            .resize(ov::preprocess::ResizeAlgorithm::RESIZE_LINEAR);
        input.model().set_layout("NCHW");
        request = core.compile_model(processor.build(), "CPU",
                                     ov::hint::performance_mode(ov::hint::PerformanceMode::LATENCY),
                                     ov::hint::inference_precision(ov::element::f32), ov::inference_num_threads(1),
                                     ov::num_streams(1), ov::hint::enable_cpu_pinning(false))
                      .create_infer_request();
        frame_columns = columns;
        frame_rows = rows;
    }

    static ov::Tensor plane(const GstVideoFrame &frame, int index, const ov::Shape &shape) {
        const size_t stride = GST_VIDEO_FRAME_PLANE_STRIDE(&frame, index);
        return {ov::element::u8, shape, GST_VIDEO_FRAME_PLANE_DATA(&frame, index),
                ov::Strides{stride * shape[1], stride, shape[3], 1}};
    }

    void decode(int stride, std::vector<Face> &faces) {
        const auto values = [&](const char *name) {
            return request.get_tensor(name + std::string("_") + std::to_string(stride)).data<float>();
        };
        const float *cls = values("cls"), *obj = values("obj"), *box = values("bbox");
        const float x_scale = float(frame_columns) / width, y_scale = float(frame_rows) / height;
        const int columns = width / stride;
        for (int k = 0; k < columns * (height / stride); k++, box += 4) {
            const float score = std::sqrt(std::clamp(cls[k], 0.F, 1.F) * std::clamp(obj[k], 0.F, 1.F));
            if (score < 0.7F) continue;
            const float w = std::exp(box[2]) * stride, h = std::exp(box[3]) * stride;
            const float x = (k % columns + box[0]) * stride - w / 2, y = (k / columns + box[1]) * stride - h / 2;
            faces.push_back({x * x_scale, y * y_scale, w * x_scale, h * y_scale, score});
        }
    }

    static float overlap(const Face &a, const Face &b) {
        const float w = std::min(a.x + a.width, b.x + b.width) - std::max(a.x, b.x);
        const float h = std::min(a.y + a.height, b.y + b.height) - std::max(a.y, b.y);
        const float common = std::max(w, 0.F) * std::max(h, 0.F);
        return common / (a.width * a.height + b.width * b.height - common);
    }

    const int width, height;
    const std::string path;
    ov::Core core;
    ov::InferRequest request;
    size_t frame_columns = 0, frame_rows = 0;
};
