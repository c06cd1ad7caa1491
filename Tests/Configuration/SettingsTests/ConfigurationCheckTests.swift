// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Settings

struct ConfigurationCheckTests {
    private let test = "[source]\nkind = \"test\"\n"

    @Test func theCheckNamesEveryPipeline() throws {
        try withFolder { folder in
            let file = try folder.write("config.toml", "[daemon]\npipelines = \"on\"\n")
            for name in ["b.toml", "a.toml", "c.toml.off", ".hidden.toml", "README"] {
                try folder.write("on/\(name)", test)
            }
            let check = ConfigurationCheck(file: file)
            #expect(check.problems == [])
            #expect(check.pipelinesFolder == "\(folder.path)/on")
            #expect(check.pipelines.map(\.name) == ["a", "b"])
            #expect(check.pipelines[0].file == "\(folder.path)/on/a.toml")
            #expect(check.daemon.daemon.pipelines == "on")
        }
    }

    @Test func theCheckReportsTheProblemsOfAllFilesAtOnce() throws {
        try withFolder { folder in
            let path = folder.path
            let file = try folder.write("config.toml", "[daemon]\nstop_limit = \"5\"\n")
            try folder.write("pipelines/a.toml", "name = \"door\"\n" + test)
            try folder.write("pipelines/b.toml", "enabled = false\nname = \"door\"\n" + test)
            try folder.write("pipelines/c.toml", "x = ")
            try folder.write("pipelines/door.toml", test)
            try FileManager.default.createDirectory(
                at: folder.appending(path: "pipelines/d.toml"), withIntermediateDirectories: false)
            let check = ConfigurationCheck(file: file)
            #expect(
                check.problems.map(\.description) == [
                    "\(file):2: [daemon] stop_limit must be a duration such as \"250ms\" or \"10s\", not \"5\"; "
                        + "a whole number and ms, s, m, h or d",
                    "\(path)/pipelines/b.toml:2: name \"door\" is already that of \(path)/pipelines/a.toml; "
                        + "set the key name to another",
                    "\(path)/pipelines/c.toml:1: not valid TOML: expected a value",
                    "\(path)/pipelines/d.toml: is a folder; give the file in it",
                    "\(path)/pipelines/door.toml: name \"door\" is already that of \(path)/pipelines/a.toml; "
                        + "set the key name to another",
                ])
            #expect(check.pipelines.map(\.name) == ["door"])
        }
    }

    @Test func aMissingFolderOfPipelinesIsAnErrorIfItWasGiven() throws {
        try withFolder { folder in
            let file = try folder.write("config.toml", "\n[daemon]\npipelines = \"on\"\n")
            #expect(
                ConfigurationCheck(file: file).problems.map(\.description) == [
                    "\(file):3: [daemon] pipelines: \(folder.path)/on: there is no such file or folder; "
                        + "make it, or set the key pipelines"
                ])
        }
    }

    @Test func aMissingConfigurationFileMeansTheDefaults() throws {
        try withFolder { folder in
            let file = folder.appending(path: "config.toml").path
            let check = ConfigurationCheck(defaultFile: file)
            #expect(check.problems == [] && check.pipelines == [] && check.daemon == DaemonSettings())
            try folder.write("pipelines/a.toml", test)
            #expect(ConfigurationCheck(defaultFile: file).pipelines.map(\.name) == ["a"])
            // A configuration file that an argument names must exist.
            #expect(
                ConfigurationCheck(file: file).problems.map(\.description) == [
                    "\(file): there is no such file or folder"
                ])
            try folder.write("config.toml", "[daemon]\nwatch_files = true\n")
            #expect(ConfigurationCheck(defaultFile: file).daemon.daemon.watchFiles)
        }
    }

    @Test func aFolderAsConfigurationFileIsAnError() throws {
        try withFolder { folder in
            let problems = ConfigurationCheck(file: folder.path).problems.map(\.description)
            #expect(problems == ["\(folder.path): is a folder; give the file in it"])
        }
    }

    @Test func relativePathsStartAtTheConfigurationFile() throws {
        let text = "daemon.state_dir = \"state\"\nevents.socket = \"events.sock\"\n"
        let settings = try DaemonSettings.parse(text, file: "/srv/glimpse/config.toml")
        #expect(settings.daemon.stateDirectory == "/srv/glimpse/state")
        #expect(settings.events.socket == "/srv/glimpse/events.sock")
        #expect(settings.pipelinesFolder(configurationFile: "/srv/glimpse/config.toml") == "/srv/glimpse/pipelines")
        #expect(settings.pipelinesFolder(configurationFile: "config.toml") == "pipelines")
    }
}
