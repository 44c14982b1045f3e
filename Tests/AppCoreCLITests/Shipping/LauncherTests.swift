import Foundation
import TestSupport
import Testing

@testable import AppCoreCLI

@Suite("A bundle's launcher")
struct LauncherTests {
  @Test(
    "The manifest's name is passed as it is", arguments: ["app.yaml", "my app's.yaml", "$x.yaml"])
  func names(manifest: String) async throws {
    let folder = try TemporaryFolder()
    let description = BundleDescription(
      name: "till", version: nil, manifest: manifest, appcore: "0.2.0", architecture: "x86_64",
      hasRuntime: true)
    try folder.write("bin/till", Launcher.text(description))
    try folder.write("bin/appcore", "#!/bin/sh\nprintf '%s\\n' \"$@\"\n")
    let host = folder.url.appendingPathComponent("bin/appcore").path
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: host)
    let run = try await Program.run("/bin/sh", ["bin/till", "-c", "x y"], folder: folder.url)
    let arguments = run.output.split(separator: "\n").map(String.init)
    try #require(arguments.count == 7)
    #expect(arguments[0] == "run")
    #expect(arguments[1].hasSuffix("/share/till/" + manifest))
    #expect(arguments[4...] == ["--locked", "-c", "x y"])
  }
}
