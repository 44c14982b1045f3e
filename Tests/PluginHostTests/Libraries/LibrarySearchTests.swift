import Foundation
import Testing

@testable import PluginHost

/// Where libraries are looked for that a plugin needs, compared with what the loader itself does.
///
/// What is refused from its file alone is in `Tests/Transcripts/plugins/refused-libraries.md`.
@Suite("Libraries that a plugin needs")
struct LibrarySearchTests {
  let workshop: Workshop
  /// The loader knows libraries by name for as long as the process lives.
  let name = "Needed\(UInt64.random(in: 0 ... .max))"

  init() throws { workshop = try Workshop() }

  var library: String { "lib\(name).so" }

  /// A library in a folder of the workshop's, with a name of its own unless that is not wanted.
  @discardableResult
  func library(
    in folder: String, answer: String, hasName: Bool = true, options: [String] = []
  ) throws -> String {
    try workshop.makeFolder(folder)
    return try workshop.library(
      "\(folder)/\(library)", "const char *needed(void) { return \"\(answer)\"; }",
      (hasName ? ["-Wl,-soname,\(library)"] : []) + options)
  }

  /// A plugin that answers what the library in a folder says.
  func plugin(_ options: [String], linkedTo folder: String = "link") throws -> String {
    let symbol = HostSDK.current.contract.symbol
    return try workshop.library(
      "libUser.so",
      """
      extern const char *needed(void);
      extern int \(symbol)(void);
      void *appcore_plugin_User(void) { return \(symbol)() ? (void *)needed() : 0; }
      """, ["-L" + workshop.path(folder), "-l" + name] + options)
  }

  func answer(_ path: String, trust: FileTrust = .guarded) throws -> String? {
    let loader = workshop.loader()
    let plugin = try loader.load(try loader.open(path: path, trust: trust))
    return plugin.answer
  }

  func refusal(_ path: String) throws -> String {
    let loader = workshop.loader()
    return workshop.text(
      try workshop.problem { try loader.open(path: path, trust: .guarded) })
  }

  @Test(
    "A library at an absolute run path is loaded from a copy of the bytes that were validated",
    arguments: ["--enable-new-dtags", "--disable-new-dtags"])
  func absolutePath(tags: String) throws {
    let original = try library(in: "far", answer: "validated")
    let path = try plugin(["-Wl,-rpath,\(workshop.path("far"))", "-Wl,\(tags)"], linkedTo: "far")
    let loader = workshop.loader()
    let prepared = try loader.prepare(try loader.open(path: path, trust: .guarded))
    try library(in: "far", answer: "swapped")
    let plugin = try loader.load(prepared)
    #expect(plugin.answer == "validated")
    #expect(try !isMapped(original))
  }

  @Test("A run path that is no text, which is longer decoded than it is, stays as it is")
  func undecodable() throws {
    let path = try workshop.library("libOdd.so", "int odd;", ["-Wl,-rpath,$ORIGIN/zzz"])
    var bytes = try workshop.read(path)
    let written = Array("$ORIGIN/zzz".utf8)
    let start = try #require(
      (0..<bytes.count - written.count).first { bytes[$0..<$0 + written.count] == written[...] })
    for offset in 8..<11 { bytes[start + offset] = 0xff }
    let object = try SharedObject(bytes, path: path)
    #expect(try object.searching("$ORIGIN").metadata.runpath == object.metadata.runpath)
  }

  @Test("A library that appears in an earlier folder after the validation is not loaded")
  func laterLibrary() throws {
    try library(in: "second", answer: "validated")
    try workshop.makeFolder("first")
    let path = try plugin(
      ["-Wl,-rpath,\(workshop.path("first")):\(workshop.path("second"))"], linkedTo: "second")
    let loader = workshop.loader()
    let prepared = try loader.prepare(try loader.open(path: path, trust: .guarded))
    #expect(prepared.hasSameLibraries)
    try library(in: "first", answer: "later")
    #expect(!prepared.hasSameLibraries)
    let plugin = try loader.load(prepared)
    #expect(plugin.answer == "validated")
  }

  @Test("A library of the system's is loaded by its path, whatever appears in the run path")
  func systemLibrary() throws {
    // One that this process has not loaded, and that every Debian has.
    let candidates = ["libutil.so.1", "libanl.so.1", "libBrokenLocale.so.1", "libnsl.so.1"]
    let library = try #require(
      candidates.first {
        LoadedLibraries.shared.kind(of: $0) == .absent && LoaderList().path(of: $0) != nil
      })
    let folder = try workshop.makeFolder("open")
    try workshop.library(
      "open/\(library)", "int other(void) { return 1; }", ["-Wl,-soname,\(library)"])
    let path = try workshop.plugin(
      "System",
      options: ["-Wl,--no-as-needed", "-L\(folder)", "-l:\(library)", "-Wl,-rpath,\(folder)"])
    try FileManager.default.removeItem(atPath: "\(folder)/\(library)")
    let loader = workshop.loader()
    let prepared = try loader.prepare(try loader.open(path: path, trust: .guarded))
    #expect(prepared.systemLibraries.map(\.path) == [LoaderList().path(of: library)])
    #expect(prepared.absent == ["\(folder)/\(library)"])
    // Somebody puts one there between the validation and the loading.
    try workshop.library(
      "open/\(library)", "int other(void) { return 1; }", ["-Wl,-soname,\(library)"])
    _ = try loader.load(prepared)
    #expect(try !isMapped("\(folder)/\(library)"))
    // The next start reads the plugin again.
    #expect(!prepared.hasSameLibraries)
  }

  @Test("A library without a name is taken from beside the plugin, and from nowhere else")
  func unnamed() throws {
    try library(in: ".", answer: "beside", hasName: false)
    #expect(try answer(try plugin(["-Wl,-rpath,$ORIGIN"], linkedTo: ".")) == "beside")
  }

  @Test("A folder that everybody can write to, before the one of a library without a name")
  func openFolderBefore() throws {
    try library(in: ".", answer: "beside", hasName: false)
    let open = try workshop.makeFolder("open")
    let path = try plugin(["-Wl,-rpath,\(open)/deeper:$ORIGIN"], linkedTo: ".")
    #expect(chmod(open, 0o1777) == 0)
    #expect(
      try refusal(path) == """
        $DIR/libUser.so: error: plugin not accepted: other users can change '$DIR/open', which is \
        writable for everybody (mode 1777) [plugin-writable]
          help: run `chmod go-w $DIR/open`, or accept it as it is with `--allow-writable`
        """)
    #expect(chmod(open, 0o755) == 0)
    #expect(try answer(path) == "beside")
  }

  @Test("What is compared with a lock is what is found, even where such folders are accepted")
  func openFolderOfSealed() throws {
    try library(in: ".", answer: "beside", hasName: false)
    let open = try workshop.makeFolder("open")
    let path = try plugin(["-Wl,-rpath,\(open):$ORIGIN"], linkedTo: ".")
    let loader = workshop.loader()
    func sealed() throws -> PreparedPlugin {
      let validated = try loader.open(path: path, trust: .all)
      return try loader.prepare(validated, PluginDigests(validated))
    }
    let known = try sealed()
    #expect(known.findsCopies(isGuarding: true))
    #expect(chmod(open, 0o777) == 0)
    _ = try loader.prepare(try loader.open(path: path, trust: .all))
    let problem = try workshop.problem { try sealed() }
    #expect(
      workshop.text(problem) == """
        $DIR/libUser.so: error: plugin not accepted: other users can change '$DIR/open', which is \
        writable for everybody (mode 0777); the loader searches there for a library of the plugin's \
        [plugin-writable]
          help: make the folder writable for its owner alone, or link the plugin's libraries with \
        `-soname`
        """)
    // What was remembered is not used either.
    #expect(!known.findsCopies(isGuarding: true))
    #expect(known.findsCopies(isGuarding: false))
  }

  @Test(
    "A build for a kind of processor that the loader would find before the copy is refused",
    arguments: ["glibc-hwcaps/x86-64-v2", "glibc-hwcaps/other", "tls/x86_64", "haswell"])
  func processors(_ folder: String) throws {
    try library(in: ".", answer: "beside", hasName: false)
    try workshop.makeFolder("first/\(folder)")
    let path = try plugin(["-Wl,-rpath,$ORIGIN/first:$ORIGIN"], linkedTo: ".")
    let loader = workshop.loader()
    let prepared = try loader.prepare(try loader.open(path: path))
    #expect(prepared.findsCopies(isGuarding: false))
    try library(in: "first/\(folder)", answer: "other", hasName: false)
    #expect(
      try refusal(path) == """
        $DIR/libUser.so: error: plugin not accepted: it needs '\(library)', and the loader would find \
        '$DIR/first/\(folder)/\(library)' first [plugin-unnamed-library]
          help: remove '$DIR/first/\(folder)/\(library)', or link '\(library)' with `-soname \
        \(library)`
        """)
    #expect(!prepared.findsCopies(isGuarding: false))
  }

  @Test("A library in a folder that everybody can write to is refused, like a plugin there")
  func openFolder() throws {
    try library(in: "open", answer: "open")
    let path = try plugin(["-Wl,-rpath,\(workshop.path("open"))"], linkedTo: "open")
    #expect(chmod(workshop.path("open"), 0o777) == 0)
    #expect(
      try refusal(path).contains(
        "other users can change '$DIR/open', which is writable for everybody (mode 0777)"))
  }

  @Test("A copy that was removed after it was mapped is still accepted")
  func removed() throws {
    let path = try workshop.plugin(
      "Removed", answer: "removed",
      more: """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <unistd.h>
        __attribute__((constructor)) static void start(void) {
          Dl_info own;
          if (dladdr(start, &own)) unlink(own.dli_fname);
        }
        """)
    #expect(try answer(path) == "removed")
  }

  @Test(
    "Tokens are read as glibc reads them",
    arguments: [
      ("$ORIGIN/x", "/o/x"), ("${ORIGIN}x", "/ox"), ("$ORIGINx", "$ORIGINx"), ("$", "$"),
      ("a$ORIGIN$ORIGIN", "a/o/o"), ("${ORIGIN", "${ORIGIN"), ("$FOO/x", "$FOO/x"),
    ])
  func tokens(_ text: String, _ meaning: String) throws {
    #expect(try LibrarySearch.expand(text, origin: "/o") == meaning)
  }

  /// Whether this process has mapped a file.
  private func isMapped(_ path: String) throws -> Bool {
    try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
      .split(separator: "\n").contains { $0.hasSuffix(" " + path) }
  }
}
