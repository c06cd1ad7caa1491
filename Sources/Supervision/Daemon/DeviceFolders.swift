import Glibc

/// Where the names of cameras appear.
enum DeviceFolders {
    /// The folder of each device, or while that is not there, the nearest one above it; and the folder that a link leads to, which is
    /// where permissions change.
    static func watched(for devices: [String]) -> Set<String> {
        var folders: Set<String> = []
        for device in devices {
            folders.insert(nearest(to: folder(of: device)))
            if let target = realpath(device, nil) {
                folders.insert(folder(of: String(cString: target)))
                free(target)
            }
        }
        return folders
    }

    private static func nearest(to folder: String) -> String {
        var folder = folder
        while folder != "/", access(folder, X_OK) != 0 { folder = self.folder(of: folder) }
        return folder
    }

    private static func folder(of path: String) -> String {
        let end = path.lastIndex(of: "/") ?? path.startIndex
        return end == path.startIndex ? "/" : String(path[..<end])
    }
}
