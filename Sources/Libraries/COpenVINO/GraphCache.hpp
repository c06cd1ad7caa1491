// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace covn {

/// Compiled graphs and descriptions of networks in a folder, one file for each key. A file holds the key in full, so
/// that no graph is taken for another. It also holds a checksum, because OpenVINO loads a damaged file and computes
/// with its contents.
///
/// Measured with OpenVINO 2026.4.1: a quarter of damaged files gave other numbers, without an error.
///
/// A loaded graph stays in its file, so the kernel may drop its pages, and workers with the same network share them.
/// Files appear under their names whole. At most `kept_files` stay; the oldest go.
class GraphCache {
public:
    static constexpr size_t kept_files = 128;

    explicit GraphCache(std::filesystem::path folder) : folder(std::move(folder)) {}

    struct Graph {
        /// Begins at a multiple of `alignment` bytes.
        std::string_view content;
        std::shared_ptr<const void> file;  ///< keeps the content
    };

    /// OpenVINO aligns weights to so many bytes.
    static constexpr size_t alignment = 64;

    /// The graph stored under `key`; nothing if it is absent, damaged or foreign.
    std::optional<Graph> load(const std::string &key) const;

    /// Throws when the folder cannot be made or written.
    void store(const std::string &key, const std::string &graph) const;

private:
    std::filesystem::path file(const std::string &key) const;
    void forget_the_oldest() const;

    std::filesystem::path folder;
};

/// The text with a space for each line break.
std::string one_line(std::string text);

}  // namespace covn
