// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The folders in which camera devices appear.
enum DeviceFolders {
    /// The folder of each device, or the nearest existing parent folder. For a symbolic link also the folder of its
    /// target, where permissions change.
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
