// SPDX-License-Identifier: Apache-2.0
#include "BarEvidence.hpp"

#include "LineAlignment.hpp"
#include "SharpLine.hpp"

#include <algorithm>
#include <cmath>

namespace glimpse {
namespace {

constexpr int lineSamples = 1024;
constexpr float mostWeight = 90;     // pictures; older ones fade, as focus and light change
constexpr float sameLikeness = 0.6f; // correlation of one symbol's bars in two pictures; other symbols reach half of it
constexpr int farthest = 32, stride = 4; // samples that a line is looked for beside its place: about four modules
constexpr int alignments = 4;

/// The squared correlation of the middle halves, where no label's edge is.
float likeness(const std::vector<float> &a, const std::vector<float> &b) {
    auto middle = [](const std::vector<float> &v) {
        return std::vector<float>(v.begin() + std::ptrdiff_t(v.size() / 4), v.end() - std::ptrdiff_t(v.size() / 4));
    };
    std::vector<float> line = middle(a), model = middle(b);
    Light light = Light::of(line, model);
    float mean = 0, squares = 0;
    for (float v : line) mean += v, squares += v * v;
    float variance = squares - mean * mean / float(line.size());
    return light.contrast <= 0 || variance <= 0 ? 0 : std::sqrt(std::max(0.0f, 1 - light.error / variance));
}

} // namespace

bool BarEvidence::begin(const Luma &luma, const Rect &region, float angle) {
    pictures_ = 0;
    auto strip = findBars(luma, region, angle);
    if (!strip) return false;
    quad_ = strip->quad, expected_ = strip->expected;
    Line line;
    line.take(luma, quad_, lineSamples, 0, 1);
    std::vector<float> samples(lineSamples);
    line.sample({}, 0, samples);
    restart(std::move(samples));
    return true;
}

void BarEvidence::restart(std::vector<float> line) {
    mean_ = std::move(line), weight_ = 1, pictures_ = 1;
}

void BarEvidence::add(const Luma &luma, const Quad &quad) {
    quad_ = quad;
    Line line;
    line.take(luma, quad, lineSamples, 0, 1);
    std::vector<float> samples(lineSamples), best;
    Light light;
    Line::Placing place;
    for (int shift = -farthest; shift <= farthest; shift += stride) {
        Line::Placing there;
        there.bend[0] = float(shift) / lineSamples;
        line.sample(there, 0, samples);
        if (Light now = Light::of(samples, mean_); now.contrast > 0 && now.error < light.error) light = now, place = there, best = samples;
    }
    if (best.empty()) return;
    for (int i = 0; i < alignments; ++i) align(line, mean_, 0, place, light, best);
    if (likeness(best, mean_) < sameLikeness) {
        line.sample({}, 0, samples);
        restart(std::move(samples));
        return;
    }
    // Blurred pictures have less contrast, and count for less.
    float weight = std::min(light.contrast * light.contrast, 4.0f), share = weight / (weight_ + weight);
    for (size_t i = 0; i < mean_.size(); ++i) {
        float x = float(i) / lineSamples - 0.5f;
        mean_[i] += share * ((best[i] - light.base - light.slope * x) / light.contrast - mean_[i]);
    }
    weight_ = std::min(weight_ + weight, mostWeight), ++pictures_;
}

float BarEvidence::pixel() const {
    return lineSamples / std::max(1.0f, 0.5f * (length(quad_[1] - quad_[0]) + length(quad_[2] - quad_[3])));
}

RetailRead BarEvidence::readRetail(uint32_t formats) const {
    if (!pictures_) return {};
    auto spans = barSpans(mean_, expected_ * lineSamples, pixel());
    Line line;
    line.take(mean_);
    return glimpse::readRetail(line, spans, formats);
}

std::optional<Symbol> BarEvidence::readSharpened(uint32_t formats) const {
    if (!pictures_) return std::nullopt;
    auto symbol = glimpse::readSharpened(mean_, pixel(), formats);
    if (symbol) symbol->quad = part(symbol->quad[0].x, symbol->quad[1].x);
    return symbol;
}

Quad BarEvidence::bars(const RetailRead &read) const {
    return read.isReversed ? part(1 - read.from, 1 - read.to) : part(read.from, read.to);
}

Quad BarEvidence::part(float from, float to) const {
    Quad q{quad_[0] + from * (quad_[1] - quad_[0]), quad_[0] + to * (quad_[1] - quad_[0]),
           quad_[3] + to * (quad_[2] - quad_[3]), quad_[3] + from * (quad_[2] - quad_[3])};
    // Read upside down, its top is below.
    return from > to ? Quad{q[3], q[2], q[1], q[0]} : q;
}

} // namespace glimpse
