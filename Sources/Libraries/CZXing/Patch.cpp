// SPDX-License-Identifier: Apache-2.0
#include "Patch.hpp"

#include <algorithm>
#include <cmath>

namespace glimpse {
namespace {

constexpr uint8_t outside = 255; // paper: nothing may seem to go on beyond the picture's edge

bool isOutside(const Luma &l, Point p) {
    return p.x < -0.5f || p.y < -0.5f || p.x > float(l.width) - 0.5f || p.y > float(l.height) - 0.5f;
}

/// Mean of the square of `side` picture pixels around `p`: for patches smaller than the picture.
uint8_t averaged(const Luma &l, Point p, int side) {
    if (isOutside(l, p)) return outside;
    int left = std::clamp(int(p.x) - side / 2, 0, l.width - 1), right = std::min(left + side, l.width);
    int top = std::clamp(int(p.y) - side / 2, 0, l.height - 1), bottom = std::min(top + side, l.height);
    int sum = 0;
    for (int y = top; y < bottom; ++y)
        for (int x = left; x < right; ++x) sum += l.at(x, y);
    return uint8_t(sum / ((right - left) * (bottom - top)));
}

} // namespace

uint8_t interpolated(const Luma &l, Point p) {
    if (isOutside(l, p)) return outside;
    float x = std::clamp(p.x, 0.0f, float(l.width - 1)), y = std::clamp(p.y, 0.0f, float(l.height - 1));
    int x0 = int(x), y0 = int(y), x1 = std::min(x0 + 1, l.width - 1), y1 = std::min(y0 + 1, l.height - 1);
    float fx = x - float(x0), fy = y - float(y0);
    float top = float(l.at(x0, y0)) * (1 - fx) + float(l.at(x1, y0)) * fx;
    float bottom = float(l.at(x0, y1)) * (1 - fx) + float(l.at(x1, y1)) * fx;
    return uint8_t(top * (1 - fy) + bottom * fy + 0.5f);
}

void Patch::show(const Luma &picture, const View &view, const std::vector<Quad> &hidden) {
    bool plain = view.scale == 1 && view.angle == 0 && !view.inverted;
    bool touched = std::any_of(hidden.begin(), hidden.end(),
                               [&](const Quad &q) { return bounds(q).overlaps(view.rect); });
    origin_ = {float(view.rect.left), float(view.rect.top)};
    xAxis_ = {1, 0}, yAxis_ = {0, 1};
    if (plain && !touched) {
        luma_ = picture.cropped(view.rect);
        return;
    }
    if (view.scale == 1 && view.angle == 0) copy(picture, view);
    else if (view.scale == 2 && view.angle == 0) enlarge(picture, view);
    else resample(picture, view);
    if (touched)
        for (const Quad &q : hidden) hide(q);
}

void Patch::copy(const Luma &picture, const View &view) {
    int width = view.rect.width(), height = view.rect.height();
    pixels_.resize(size_t(width) * size_t(height));
    for (int y = 0; y < height; ++y) {
        const uint8_t *from = picture.row(view.rect.top + y) + view.rect.left;
        uint8_t *to = &pixels_[size_t(y) * size_t(width)];
        if (view.inverted) std::transform(from, from + width, to, [](uint8_t v) { return uint8_t(255 - v); });
        else std::copy(from, from + width, to);
    }
    luma_ = {pixels_.data(), width, height, width};
}

void Patch::enlarge(const Luma &picture, const View &view) {
    int width = view.rect.width(), height = view.rect.height();
    xAxis_ = {0.5f, 0}, yAxis_ = {0, 0.5f};
    pixels_.resize(size_t(width) * size_t(height) * 4);
    uint8_t flip = view.inverted ? 255 : 0;
    for (int y = 0; y < height; ++y) {
        const uint8_t *from = picture.row(view.rect.top + y) + view.rect.left;
        const uint8_t *next = y + 1 < height ? from + picture.stride : from;
        uint8_t *even = &pixels_[size_t(y) * size_t(width) * 4], *odd = even + 2 * width;
        for (int x = 0; x < width; ++x) {
            int right = x + 1 < width ? x + 1 : x;
            int a = from[x], b = from[right], c = next[x], d = next[right];
            even[2 * x] = uint8_t(a) ^ flip, even[2 * x + 1] = uint8_t((a + b + 1) / 2) ^ flip;
            odd[2 * x] = uint8_t((a + c + 1) / 2) ^ flip, odd[2 * x + 1] = uint8_t((a + b + c + d + 2) / 4) ^ flip;
        }
    }
    luma_ = {pixels_.data(), 2 * width, 2 * height, 2 * width};
}

void Patch::resample(const Luma &picture, const View &view) {
    float radians = view.angle / 57.29578f, c = std::cos(radians), s = std::sin(radians);
    float w = float(view.rect.width()), h = float(view.rect.height());
    int width = std::max(1, int(std::lround((std::abs(w * c) + std::abs(h * s)) * view.scale)));
    int height = std::max(1, int(std::lround((std::abs(w * s) + std::abs(h * c)) * view.scale)));
    float step = 1 / view.scale;
    xAxis_ = {step * c, step * s}, yAxis_ = {-step * s, step * c};
    Point middle{float(view.rect.left) + 0.5f * w, float(view.rect.top) + 0.5f * h};
    origin_ = middle - 0.5f * float(width - 1) * xAxis_ - 0.5f * float(height - 1) * yAxis_ - Point{0.5f, 0.5f};
    int side = int(std::lround(step));
    pixels_.resize(size_t(width) * size_t(height));
    uint8_t flip = view.inverted ? 255 : 0;
    for (int y = 0; y < height; ++y) {
        Point p = toPicture(Point{0, float(y)});
        uint8_t *to = &pixels_[size_t(y) * size_t(width)];
        for (int x = 0; x < width; ++x, p = p + xAxis_)
            to[x] = (side > 1 ? averaged(picture, p, side) : interpolated(picture, p)) ^ flip;
    }
    luma_ = {pixels_.data(), width, height, width};
}

void Patch::hide(const Quad &quad) {
    // The inverse of the patch's axes, which are perpendicular and of equal length.
    float squared = dot(xAxis_, xAxis_);
    auto toPatch = [&](Point p) {
        Point d = p - origin_;
        return Point{dot(d, xAxis_) / squared, dot(d, yAxis_) / squared};
    };
    Quad q{toPatch(quad[0]), toPatch(quad[1]), toPatch(quad[2]), toPatch(quad[3])};
    Rect r = intersection(bounds(q), luma_.rect());
    if (r.empty()) return;
    uint8_t paper = 0;
    for (int y = r.top; y < r.bottom; ++y)
        for (int x = r.left; x < r.right; ++x) paper = std::max(paper, luma_.at(x, y));
    for (int y = r.top; y < r.bottom; ++y)
        for (int x = r.left; x < r.right; ++x)
            if (contains(q, {float(x), float(y)})) pixels_[size_t(y) * size_t(luma_.width) + size_t(x)] = paper;
}

} // namespace glimpse
