// SPDX-License-Identifier: Apache-2.0
#include "CascadePlugin.h"
#include "ErrorReport.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include <opencv2/imgproc.hpp>
#include <opencv2/objdetect.hpp>

namespace {

using Failure = glimpse::Failure<cocv_status>;

void require(bool condition, const char *message) {
    if (!condition) throw Failure(COCV_BAD_ARGUMENT, message);
}

/// OpenCV's own message without its source location.
std::string brief(const std::exception &exception) {
    const auto *own = dynamic_cast<const cv::Exception *>(&exception);
    return own ? own->err : exception.what();
}

template <class Body>
cocv_status guarded(cocv_status otherwise, char *error, size_t capacity, const Body &body) {
    return glimpse::guarded(otherwise, "OpenCV", error, capacity, body, brief);
}

/// Windows that must agree before there is a face: OpenCV's own default.
constexpr int min_neighbours = 3;
/// Number of windows at which confidence is one half; see `cocv_object`.
constexpr float half_confidence_windows = 1.25f;

/// OpenCV otherwise prints every exception that we report ourselves.
int ignore_error(int, const char *, const char *, const char *, int, void *) { return 0; }

}  // namespace

struct cocv_cascade {
    cv::CascadeClassifier classifier;
    int detection_width;
    double scale_factor;
    cv::Mat reduced, equalised;  // reused from picture to picture
    std::vector<cv::Rect> boxes;
    std::vector<int> windows;
    std::vector<size_t> order;

    explicit cocv_cascade(const cocv_cascade_options &options)
        : detection_width(options.detection_width), scale_factor(options.scale_factor) {
        require(options.path && *options.path, "cascade: no path given");
        require(detection_width >= 32, "cascade: the detection width must be 32 or more");
        require(scale_factor > 1 && scale_factor <= 2, "cascade: the scale factor must be above 1 and at most 2");
        cv::redirectError(ignore_error);
        cv::setNumThreads(1);
        const auto unusable = [&](const std::string &why) {
            return Failure(COCV_UNUSABLE_CASCADE, "unusable cascade: " + why + " (" + options.path + ")");
        };
        std::error_code error;
        if (!std::filesystem::is_regular_file(options.path, error)) throw unusable("no such file");
        try {
            if (!classifier.load(options.path)) throw unusable("not an OpenCV cascade");
        } catch (const cv::Exception &exception) {
            throw unusable(exception.err);
        }
    }

    void search(const cocv_luma &luma, float min_width) {
        require(luma.samples != nullptr, "picture: no samples");
        require(luma.width >= 2 && luma.height >= 2, "picture: smaller than 2x2");
        require(luma.stride >= luma.width, "picture: the row stride is smaller than the row");
        const cv::Mat view(luma.height, luma.width, CV_8UC1, const_cast<uint8_t *>(luma.samples), size_t(luma.stride));
        boxes.clear();
        windows.clear();
        if (luma.width > detection_width) {
            const int height = std::max(1, int(std::lround(double(luma.height) * detection_width / luma.width)));
            cv::resize(view, reduced, {detection_width, height}, 0, 0, cv::INTER_AREA);
            cv::equalizeHist(reduced, equalised);
        } else {
            cv::equalizeHist(view, equalised);
        }
        const int smallest = int(std::lround(std::max(0.0F, min_width) * equalised.cols / luma.width));
        classifier.detectMultiScale(
            equalised, boxes, windows, scale_factor, min_neighbours, 0, {smallest, smallest});
    }
};

cocv_status cocv_cascade_load(
    const cocv_cascade_options *options, cocv_cascade **cascade, char *error, size_t capacity) {
    return guarded(COCV_UNUSABLE_CASCADE, error, capacity, [&] {
        require(options && cascade, "cascade: no options or no place for the result given");
        *cascade = nullptr;
        *cascade = new cocv_cascade(*options);
    });
}

void cocv_cascade_destroy(cocv_cascade *cascade) { delete cascade; }

cocv_status cocv_cascade_detect(
    cocv_cascade *cascade, const cocv_luma *luma, float min_width, cocv_object *objects, size_t object_capacity,
    size_t *count, char *error, size_t capacity) {
    return guarded(COCV_DETECTION_FAILED, error, capacity, [&] {
        require(cascade && luma && count, "no cascade, no picture or no place for the count given");
        require(objects || object_capacity == 0, "no place for the objects given");
        *count = 0;
        cascade->search(*luma, min_width);
        const auto &windows = cascade->windows;
        auto &order = cascade->order;
        order.resize(windows.size());
        for (size_t i = 0; i < order.size(); i++) order[i] = i;
        std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return windows[a] > windows[b]; });
        const float x_ratio = float(luma->width) / float(cascade->equalised.cols);
        const float y_ratio = float(luma->height) / float(cascade->equalised.rows);
        for (size_t i = 0; i < std::min(order.size(), object_capacity); i++) {
            const cv::Rect &box = cascade->boxes[order[i]];
            const int n = windows[order[i]];
            objects[i] = {float(box.x) * x_ratio, float(box.y) * y_ratio, float(box.width) * x_ratio,
                          float(box.height) * y_ratio, float(n) / (float(n) + half_confidence_windows), n};
            *count = i + 1;
        }
    });
}
