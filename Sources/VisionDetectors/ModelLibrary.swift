#if canImport(Glibc)
    import Glibc
#endif

/// The model files of this machine: ONNX files in folders, found by name.
package struct ModelLibrary: Sendable {
    /// Searched in this order.
    package let folders: [String]
    /// Where compiled models are kept from run to run; nil: nowhere.
    package let cacheFolder: String?

    package init(folders: [String], cacheFolder: String?) {
        self.folders = folders
        self.cacheFolder = cacheFolder
    }

    /// The path of a model; nil when no folder has it.
    package func path(of model: String) -> String? {
        folders.lazy.map { "\($0)/\(model).onnx" }.first { access($0, F_OK) == 0 }
    }

    /// The face models that there are, best first.
    package var faceModels: [String] {
        ["yunet_n_640_640", "yunet_s_640_640"].filter { path(of: $0) != nil }
    }
}
