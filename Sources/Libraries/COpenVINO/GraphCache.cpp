// SPDX-License-Identifier: Apache-2.0
#include "GraphCache.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "Fingerprint.hpp"

namespace covn {
namespace {

namespace fs = std::filesystem;

constexpr char suffix[] = ".graph";

/// The header before a graph: the format's name, the key, and the checksum of the graph, a line each. Spaces make it a
/// multiple of `GraphCache::alignment`.
std::string header(const std::string &key, std::string_view graph) {
    Fingerprint fingerprint;
    fingerprint.add(graph.data(), graph.size());
    std::string text = "glimpse compiled graph 2\n" + key + "\n" + hexadecimal(fingerprint.value());
    const size_t unit = GraphCache::alignment;
    text.resize((text.size() + unit) / unit * unit - 1, ' ');
    return text + "\n";
}

/// The bytes of a file; nothing if it cannot be read or is empty.
std::optional<GraphCache::Graph> mapped(const fs::path &path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return std::nullopt;
    struct stat status {};
    const size_t size = ::fstat(descriptor, &status) == 0 ? size_t(status.st_size) : 0;
    void *const bytes = size > 0 ? ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0) : MAP_FAILED;
    ::close(descriptor);
    if (bytes == MAP_FAILED) return std::nullopt;
    return GraphCache::Graph{
        {static_cast<const char *>(bytes), size},
        std::shared_ptr<const void>(bytes, [size](void *mapping) { ::munmap(mapping, size); })};
}

}  // namespace

fs::path GraphCache::file(const std::string &key) const {
    Fingerprint fingerprint;
    fingerprint.add(key.data(), key.size());
    return folder / (hexadecimal(fingerprint.value()) + suffix);
}

std::optional<GraphCache::Graph> GraphCache::load(const std::string &key) const {
    auto graph = mapped(file(key));
    const size_t start = header(key, "").size();
    if (!graph || graph->content.size() <= start) return std::nullopt;
    const std::string_view head = graph->content.substr(0, start);
    graph->content.remove_prefix(start);
    if (head != header(key, graph->content)) return std::nullopt;
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
