// SPDX-License-Identifier: Apache-2.0
#include "Compilation.hpp"

#include <sstream>

#include "GraphCache.hpp"
#include "PixelGraph.hpp"
#include "Runtime.hpp"

namespace covn {
namespace {

ov::AnyMap properties(const std::string &device, int32_t threads) {
    // 32-bit arithmetic on every processor. By default the plugin would use bfloat16 where the processor has it, and
    // the same frame would give other numbers there. No pinning: the machine is shared with other workers.
    const ov::AnyMap cpu{
        ov::inference_num_threads(threads),
        ov::num_streams(1),
        ov::hint::enable_cpu_pinning(false),
        ov::hint::inference_precision(ov::element::f32),
    };
    ov::AnyMap result{ov::hint::performance_mode(ov::hint::PerformanceMode::LATENCY)};
    if (device == "CPU") {
        result.insert(cpu.begin(), cpu.end());
    } else if (device.rfind("AUTO", 0) == 0) {
        result.insert(ov::device::properties("CPU", cpu));
    }
    return result;
}

/// All that a compiled graph depends on, on one line.
std::string cache_key(const Network &network, const covn_graph_options &options) {
    std::ostringstream key;
    key << network.content << " openvino=" << ov::get_openvino_version().buildNumber << " processor='"
        << runtime().get_property("CPU", ov::device::full_name) << "'";
    for (const auto &capability : runtime().get_property("CPU", ov::device::capabilities)) key << ' ' << capability;
    key << " input=" << network.input.width << 'x' << network.input.height << " layout=" << network.channels_last
        << " channels=" << network.source.channels << " frame=" << options.frame_width << 'x' << options.frame_height
        << " format=" << options.pixel_format << " matrix=" << options.matrix << " range=" << options.full_range
        << " threads=" << options.threads << " fit=" << options.fit << " padding=" << options.padding << " mean=";
    for (const float mean : options.mean) key << mean << ',';
    key << " scale=";
    for (const float scale : options.scale) key << scale << ',';
    if (!network.source.inner_output.empty()) key << " output=" << network.source.inner_output;
    return one_line(key.str());
}

/// Gives a tensor the bytes of a cached graph, and keeps them as long as the tensor. OpenVINO reads constants there.
struct MappedGraph {
    GraphCache::Graph graph;

    void *allocate(size_t, size_t) { return const_cast<char *>(graph.content.data()); }
    void deallocate(void *, size_t, size_t) noexcept {}
    bool is_equal(const MappedGraph &other) const { return graph.file == other.graph.file; }
};

ov::CompiledModel compile_for_cpu(
    const Network &network, const covn_graph_options &options, const ov::AnyMap &properties, bool &is_cached) {
    const GraphCache cache(network.source.cache_dir);
    const std::string key = cache_key(network, options);
    if (const auto graph = cache.load(key)) {
        try {
            const ov::Tensor bytes(ov::element::u8, {graph->content.size()}, MappedGraph{*graph});
            auto model = runtime().import_model(bytes, "CPU", properties);
            is_cached = true;
            return model;
        } catch (const std::exception &error) {
            complain("compiling again: " + brief(error));
        }
    }
    auto model = runtime().compile_model(with_pixel_inputs(network, options), "CPU", properties);
    try {
        std::ostringstream stream;
        model.export_model(stream);
        cache.store(key, stream.str());
    } catch (const std::exception &error) {
        complain("no cache of compiled models: " + brief(error));
    }
    return model;
}

}  // namespace

ov::CompiledModel compile(const Network &network, const covn_graph_options &options, bool &is_cached) {
    const std::string device = options.device && *options.device ? options.device : "CPU";
    is_cached = false;
    try {
        ov::AnyMap properties = covn::properties(device, options.threads);
        const bool is_caching = !network.source.cache_dir.empty();
        if (is_caching && device == "CPU") return compile_for_cpu(network, options, properties, is_cached);
        // Other devices' graphs are OpenVINO's own to keep: a GPU's are programs for its driver.
        if (is_caching) properties.insert(ov::cache_dir(network.source.cache_dir));
        return runtime().compile_model(with_pixel_inputs(network, options), device, properties);
    } catch (const Failure &) {
        throw;  // of the file, and complete
    } catch (const std::exception &error) {
        throw Failure(
            COVN_UNUSABLE_MODEL,
            "unusable model: cannot compile for " + device + ": " + brief(error) + " (" + network.source.path + ")");
    }
}

}  // namespace covn
