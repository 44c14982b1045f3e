import Foundation
internal import Support
import TestSupport
import Testing

@testable import PluginHost

/// What libraries are resolved to, held against the loader's own list of what it would load.
@Suite("Libraries, as the loader resolves them")
struct LoaderComparisonTests {
  let workshop: Workshop

  init() throws {
    workshop = try Workshop()
    for folder in ["one", "two", "none"] {
      try workshop.makeFolder(folder)
    }
  }

  /// What the system's `ldd` says: the path of each library, by its name.
  private func loaderList(_ path: String) throws -> [String: String] {
    let pipe = Pipe()
    let process = try ChildProcess(
      Workshop.find("ldd"), [path], output: pipe.fileHandleForWriting)
    try pipe.fileHandleForWriting.close()
    let text = String(
      decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitForEnd()
    var paths: [String: String] = [:]
    for match in text.matches(of: #/(\S+) => (/\S+) /#) { paths[String(match.1)] = String(match.2) }
    return paths
  }

  private func makeLibrary(_ name: String, in folder: String, _ options: [String] = []) throws {
    try workshop.library(
      "\(folder)/lib\(name).so", "int \(name)(void) { return 1; }",
      ["-Wl,-soname,lib\(name).so"] + options)
  }

  @Test(
    "In each form of a search path the first folder that has a library is taken",
    arguments: [
      ["-rpath,$DIR/one:$DIR/two"], ["-rpath,$DIR/two:$DIR/one"],
      ["-rpath,$DIR/none:$DIR/two/:$DIR/one"], ["-rpath,$ORIGIN/two:$ORIGIN/one"],
      ["-rpath,${ORIGIN}/none/../one"], ["-rpath,/nowhere:$DIR//two"],
      ["-rpath,$DIR/one:$DIR/two", "--disable-new-dtags"],
      ["-rpath,$ORIGIN/none:$ORIGIN/two", "--disable-new-dtags"],
    ])
  func elements(_ options: [String]) throws {
    let name = "Compared\(UInt32.random(in: 0 ... .max))"
    try makeLibrary(name, in: "one")
    try makeLibrary(name, in: "two")
    let path = try workshop.plugin(
      "Compared", more: "extern int \(name)(void); int use(void) { return \(name)(); }",
      options: ["-L" + workshop.path("one"), "-l" + name]
        + options.map { "-Wl," + $0.replacing("$DIR", with: workshop.folder) })
    let dependencies = try Dependencies(of: try PluginFile(path: path))
    let expected = try #require(try loaderList(path)["lib\(name).so"])
    #expect(
      dependencies.items.map { FilePath.resolved($0.file.path) } == [FilePath.resolved(expected)])
  }

  @Test(
    "A DT_RPATH holds for what is needed by what is needed, a DT_RUNPATH does not",
    arguments: ["--enable-new-dtags", "--disable-new-dtags"])
  func inherited(_ tags: String) throws {
    let outer = "Outer\(UInt32.random(in: 0 ... .max))"
    let inner = "Inner\(UInt32.random(in: 0 ... .max))"
    try makeLibrary(inner, in: "two")
    try workshop.library(
      "one/lib\(outer).so", "extern int \(inner)(void); int \(outer)(void) { return \(inner)(); }",
      ["-Wl,-soname,lib\(outer).so", "-L" + workshop.path("two"), "-l" + inner])
    let path = try workshop.plugin(
      "Compared", more: "extern int \(outer)(void); int use(void) { return \(outer)(); }",
      options: [
        "-L" + workshop.path("one"), "-l" + outer, "-Wl,-rpath,$ORIGIN/one:$ORIGIN/two",
        "-Wl,\(tags)", "-Wl,--allow-shlib-undefined",
      ])
    let dependencies = try Dependencies(of: try PluginFile(path: path))
    let found = try loaderList(path)["lib\(inner).so"]
    #expect((found == nil) == (tags == "--enable-new-dtags"))
    #expect(dependencies.missing == (found == nil ? "lib\(inner).so" : nil))
    #expect(
      dependencies.items.first { $0.name == "lib\(inner).so" }.map {
        FilePath.resolved($0.file.path)
      }
        == found.map { FilePath.resolved($0) })
  }

  @Test("Libraries of the system are the loader's")
  func system() throws {
    let names = ["libz.so.1", "libanl.so.1", "libutil.so.1", "libstdc++.so.6", "libcrypt.so.1"]
      .filter {
        LoaderList().path(of: $0) != nil && LoadedLibraries.shared.kind(of: $0) == .absent
      }
    try #require(!names.isEmpty)
    for name in names {
      try workshop.library("none/\(name)", "int stub(void) { return 1; }", ["-Wl,-soname,\(name)"])
    }
    let path = try workshop.plugin(
      "System",
      options: ["-Wl,--no-as-needed", "-L" + workshop.path("none")] + names.map { "-l:\($0)" })
    let list = try loaderList(path)
    let dependencies = try Dependencies(of: try PluginFile(path: path))
    #expect(
      dependencies.system.map { FilePath.resolved($0.path) }
        == names.map { list[$0].flatMap { FilePath.resolved($0) } })
  }
}
