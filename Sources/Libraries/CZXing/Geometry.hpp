// SPDX-License-Identifier: Apache-2.0
// Points and quadrilaterals in picture pixels.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

namespace glimpse {

struct Point {
    float x = 0, y = 0;
};

inline Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
inline Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
inline Point operator*(float s, Point a) { return {s * a.x, s * a.y}; }
inline float cross(Point a, Point b) { return a.x * b.y - a.y * b.x; }
inline float dot(Point a, Point b) { return a.x * b.x + a.y * b.y; }
inline float length(Point a) { return std::hypot(a.x, a.y); }

/// Top left, top right, bottom right, bottom left of the symbol, in its own orientation.
using Quad = std::array<Point, 4>;

inline Point center(const Quad &q) { return 0.25f * (q[0] + q[1] + q[2] + q[3]); }

/// Half the cross product of the diagonals, in square pixels.
inline float area(const Quad &q) { return 0.5f * std::abs(cross(q[2] - q[0], q[3] - q[1])); }

inline bool contains(const Quad &q, Point p) {
    bool left = false, right = false;
    for (int i = 0; i < 4; ++i) {
        float side = cross(q[(i + 1) % 4] - q[i], p - q[i]);
        left |= side < 0, right |= side > 0;
    }
    return !(left && right);
}

/// Degrees clockwise (y points down), in [0, 360).
inline float orientation(const Quad &q) {
    Point reading = (q[1] + q[2]) - (q[0] + q[3]);
    float degrees = std::atan2(reading.y, reading.x) * 57.29578f;
    if (degrees < 0) degrees += 360;
    return degrees < 360 ? degrees : 0; // a tiny negative angle rounds up
}

/// Every corner moved away from the centre by `margin` pixels along the diagonal.
inline Quad grown(const Quad &q, float margin) {
    Point c = center(q);
    Quad out = q;
    for (Point &p : out) {
        float distance = length(p - c);
        if (distance > 0) p = c + ((distance + margin) / distance) * (p - c);
    }
    return out;
}

/// A half-open rectangle of whole pixels.
struct Rect {
    int left = 0, top = 0, right = 0, bottom = 0;
    int width() const { return right - left; }
    int height() const { return bottom - top; }
    long area() const { return long(width()) * height(); }
    bool empty() const { return right <= left || bottom <= top; }
    bool overlaps(const Rect &o) const {
        return left < o.right && o.left < right && top < o.bottom && o.top < bottom;
    }
};

inline Rect intersection(const Rect &a, const Rect &b) {
    return {std::max(a.left, b.left), std::max(a.top, b.top), std::min(a.right, b.right), std::min(a.bottom, b.bottom)};
}

/// The common part of both, as a share of the larger one.
inline float overlapShare(const Rect &a, const Rect &b) {
    Rect common = intersection(a, b);
    return common.empty() ? 0 : float(common.area()) / float(std::max(a.area(), b.area()));
}

inline Quad corners(const Rect &r) {
    Point a{float(r.left), float(r.top)}, b{float(r.right), float(r.bottom)};
    return {a, Point{b.x, a.y}, b, Point{a.x, b.y}};
}

inline Rect bounds(const Quad &q) {
    auto [x0, x1] = std::minmax({q[0].x, q[1].x, q[2].x, q[3].x});
    auto [y0, y1] = std::minmax({q[0].y, q[1].y, q[2].y, q[3].y});
    return {int(std::floor(x0)), int(std::floor(y0)), int(std::ceil(x1)) + 1, int(std::ceil(y1)) + 1};
}

} // namespace glimpse
