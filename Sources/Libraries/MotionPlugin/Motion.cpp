// SPDX-License-Identifier: Apache-2.0
#include "MotionPlugin.h"
#include "ErrorReport.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <stdexcept>
#include <vector>

#include <opencv2/imgproc.hpp>
#include <opencv2/video/background_segm.hpp>

namespace {

using Failure = glimpse::Failure<cmot_status>;

void require(bool condition, const char *message) {
    if (!condition) throw Failure(CMOT_BAD_ARGUMENT, message);
}

/// OpenCV's own message without its source location.
std::string brief(const std::exception &exception) {
    const auto *own = dynamic_cast<const cv::Exception *>(&exception);
    return own ? own->err : exception.what();
}

template <class Body>
cmot_status guarded(char *error, size_t capacity, const Body &body) {
    return glimpse::guarded(CMOT_FAILED, "OpenCV", error, capacity, body, brief);
}

/// OpenCV otherwise prints every exception that we report ourselves.
int ignore_error(int, const char *, const char *, const char *, int, void *) { return 0; }

/// Squared distance from a mode of the background, in variances, beyond which a pixel is not of it: OpenCV's own
/// default.
constexpr double variance_threshold = 16;
/// Grey levels squared. With OpenCV's own 4 and 15, cameras that adjust their exposure see everything move
/// (`docs/performance/objects.md`).
constexpr double least_variance = 36;

}  // namespace

struct cmot_subtractor {
    int analysis_size;
    cv::Ptr<cv::BackgroundSubtractorMOG2> background;
    /// Specks are opened away. Parts within a sixteenth of the longer side across, or an eighth up and down, belong
    /// together. Otherwise a body falls apart wherever its clothes are of the wall's grey.
    cv::Mat speck = cv::getStructuringElement(cv::MORPH_RECT, {3, 3});
    cv::Mat bridge;
    cv::Mat reduced, moving, labels, statistics, centroids;  // reused from picture to picture
    std::vector<int> order;

    explicit cmot_subtractor(int size) : analysis_size(size) {
        require(size >= 32, "motion: the analysis size must be 32 or more");
        cv::redirectError(ignore_error);
        cv::setNumThreads(1);
        // The learning rate comes with every picture, so the history of the constructor does not count. No shadows: in
        // luma alone a shadow looks like grey clothes.
        background = cv::createBackgroundSubtractorMOG2(500, variance_threshold, false);
        background->setBackgroundRatio(CMOT_BACKGROUND_SHARE);
        background->setVarMin(least_variance);
        background->setVarInit(least_variance);
        bridge = cv::getStructuringElement(cv::MORPH_RECT, {size / 16 | 1, size / 8 | 1});
    }

    /// Fills `moving` and `statistics`; gives the number of regions.
    int observe(const cmot_luma &luma, double learning_rate) {
        const cv::Mat view(
            luma.height, luma.width, CV_8UC1, const_cast<uint8_t *>(luma.samples), size_t(luma.stride));
        const double ratio = double(analysis_size) / std::max(luma.width, luma.height);
        const cv::Mat *input = &view;
        if (ratio < 1) {
            const cv::Size size(std::max(2, int(std::lround(luma.width * ratio))),
                                std::max(2, int(std::lround(luma.height * ratio))));
            cv::resize(view, reduced, size, 0, 0, cv::INTER_AREA);
            input = &reduced;
        }
        background->apply(*input, moving, learning_rate);
        cv::morphologyEx(moving, moving, cv::MORPH_OPEN, speck);
        cv::morphologyEx(moving, moving, cv::MORPH_CLOSE, bridge);
        return cv::connectedComponentsWithStats(moving, labels, statistics, centroids) - 1;
    }
};

cmot_status cmot_create(int32_t analysis_size, cmot_subtractor **subtractor, char *error, size_t capacity) {
    return guarded(error, capacity, [&] {
        require(subtractor, "motion: no place for the result given");
        *subtractor = nullptr;
        *subtractor = new cmot_subtractor(analysis_size);
    });
}

void cmot_destroy(cmot_subtractor *subtractor) { delete subtractor; }

cmot_status cmot_observe(
    cmot_subtractor *subtractor, const cmot_luma *luma, double learning_rate, float smallest_side,
    cmot_region *regions, size_t region_capacity, size_t *count, float *moving, char *error, size_t capacity) {
    return guarded(error, capacity, [&] {
        require(subtractor && luma && count && moving, "motion: no subtractor, no picture or no place for the result");
        require(regions || region_capacity == 0, "motion: no place for the regions given");
        require(luma->samples != nullptr, "picture: no samples");
        require(luma->width >= 2 && luma->height >= 2, "picture: smaller than 2x2");
        require(luma->stride >= luma->width, "picture: the row stride is smaller than the row");
        require(learning_rate >= 0 && learning_rate <= 1, "motion: the learning rate must be 0 to 1");
        *count = 0;
        const int found = subtractor->observe(*luma, learning_rate);
        const cv::Mat &mask = subtractor->moving, &statistics = subtractor->statistics;
        *moving = float(cv::countNonZero(mask)) / float(mask.total());
        auto &order = subtractor->order;
        order.resize(size_t(found));
        std::iota(order.begin(), order.end(), 1);
        std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
            return statistics.at<int>(a, cv::CC_STAT_AREA) > statistics.at<int>(b, cv::CC_STAT_AREA);
        });
        const float x_ratio = float(luma->width) / float(mask.cols), y_ratio = float(luma->height) / float(mask.rows);
        for (const int region : order) {
            if (*count == region_capacity) break;
            const int *row = statistics.ptr<int>(region);
            const float width = float(row[cv::CC_STAT_WIDTH]) * x_ratio;
            const float height = float(row[cv::CC_STAT_HEIGHT]) * y_ratio;
            if (std::max(width, height) < smallest_side) continue;
            regions[(*count)++] = {
                float(row[cv::CC_STAT_LEFT]) * x_ratio, float(row[cv::CC_STAT_TOP]) * y_ratio, width, height};
        }
    });
}
