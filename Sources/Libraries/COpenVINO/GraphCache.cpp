// SPDX-License-Identifier: Apache-2.0
#include "GraphCache.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <vector>

#include <unistd.h>

#include "Fingerprint.hpp"

namespace covn {
namespace {

namespace fs = std::filesystem;

constexpr char suffix[] = ".graph";

/// The header before a graph: the format's name, the key, and the checksum of the graph, a line each.
std::string header(const std::string &key, const std::string &graph) {
    Fingerprint fingerprint;
    fingerprint.add(graph.data(), graph.size());
    return "glimpse compiled graph 1\n" + key + "\n" + hexadecimal(fingerprint.value()) + "\n";
}

}  // namespace

fs::path GraphCache::file(const std::string &key) const {
    Fingerprint fingerprint;
    fingerprint.add(key.data(), key.size());
    return folder / (hexadecimal(fingerprint.value()) + suffix);
}

std::optional<std::string> GraphCache::load(const std::string &key) const {
    std::ifstream stream(file(key), std::ios::binary);
    const std::string content((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    const size_t start = header(key, "").size();
    if (!stream || content.size() <= start) return std::nullopt;
    const std::string graph = content.substr(start);
    if (content.compare(0, start, header(key, graph)) != 0) return std::nullopt;
    return graph;
}

void GraphCache::store(const std::string &key, const std::string &graph) const {
    fs::create_directories(folder);
    const fs::path target = file(key);
    fs::path part = target;
    part += "." + std::to_string(::getpid()) + ".part";
    {
        std::ofstream stream(part, std::ios::binary | std::ios::trunc);
        stream << header(key, graph);
        stream.write(graph.data(), std::streamsize(graph.size()));
        stream.close();
        if (!stream) {
            std::error_code ignored;
            fs::remove(part, ignored);
            throw std::runtime_error("cannot write " + part.string() + ": " + std::strerror(errno));
        }
    }
    fs::rename(part, target);
    forget_the_oldest();
}

void GraphCache::forget_the_oldest() const {
    std::vector<std::pair<fs::file_time_type, fs::path>> files;
    for (const auto &entry : fs::directory_iterator(folder)) {
        std::error_code gone;
        const auto time = entry.last_write_time(gone);
        if (!gone && entry.path().extension() == suffix) files.emplace_back(time, entry.path());
    }
    if (files.size() <= kept_files) return;
    std::sort(files.begin(), files.end());
    files.resize(files.size() - kept_files);
    for (const auto &[time, path] : files) {
        std::error_code ignored;
        fs::remove(path, ignored);
    }
}

std::string one_line(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

}  // namespace covn
