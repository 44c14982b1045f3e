import Foundation
import Glibc
import Manifest
import Support
import Testing

@Suite("ManifestLoader")
struct ManifestLoaderTests {
  @Test("A wrong manifest prints just what stands beside it", arguments: Fixtures.names(in: "err"))
  func printsGolden(name: String) throws {
    let printed = Fixtures.output(try Fixtures.load("err", name))
    let golden = Fixtures.folder.appending(path: "err/\(name).out")
    if ProcessInfo.processInfo.environment["RECORD"] == "1" {
      try printed.write(to: golden, atomically: true, encoding: .utf8)
    }
    let expected = try String(contentsOf: golden, encoding: .utf8)
    #expect(printed == expected)
    #expect(!printed.isEmpty)
  }

  @Test("Every golden output belongs to a manifest")
  func goldenOutputsHaveManifests() throws {
    let files = try FileManager.default.contentsOfDirectory(
      at: Fixtures.folder.appending(path: "err"), includingPropertiesForKeys: nil)
    let outputs = files.filter { $0.pathExtension == "out" }
      .map { $0.deletingPathExtension().lastPathComponent }
    #expect(Set(outputs) == Set(Fixtures.names(in: "err")))
    #expect(outputs.count >= 40)
  }

  @Test("A right manifest has no problem", arguments: Fixtures.names(in: "ok"))
  func acceptsRightManifests(name: String) throws {
    let result = try Fixtures.load("ok", name)
    #expect(Fixtures.output(result) == "")
    #expect(result.manifest != nil)
    #expect(result.isComplete)
  }

  @Test("A pipe that a manifest includes is not waited for")
  func refusesPipes() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let pipe = folder.appending(path: "pipe.yaml").path(percentEncoded: false)
    #expect(mkfifo(pipe, 0o600) == 0)
    let file = folder.appending(path: "app.yaml")
    try "appcore: 1\nstart: a\ninclude: [pipe.yaml]\nnodes: { a: { feature: A.A } }\n"
      .write(to: file, atomically: true, encoding: .utf8)
    let result = try Fixtures.loader.load(path: file.path(percentEncoded: false))
    #expect(result.problems.map(\.code) == ["missing-include"])
    #expect(result.problems.map(\.message)[0].hasSuffix("': it is not a regular file"))
  }

  @Test("A first file that can't be read is not a problem of a manifest")
  func missingFileIsThrown() {
    #expect {
      try Fixtures.loader.load(path: "no/such.yaml")
    } throws: { error in
      "\(error)" == "can't read 'no/such.yaml': No such file or directory"
    }
    #expect(throws: UnreadableFile.self) {
      try Fixtures.loader.load(path: Fixtures.folder.path(percentEncoded: false))
    }
  }
}
