import Foundation
import Testing

@testable import PluginHost

@Suite("PluginLoader")
struct PluginLoaderTests {
  let workshop: Workshop

  init() throws { workshop = try Workshop() }

  func load(_ path: String, by loader: PluginLoader? = nil) throws -> OpenedPlugin {
    let loader = loader ?? workshop.loader()
    return try loader.load(try loader.open(path: path))
  }

  @Test("A plugin is loaded from a private copy and answers")
  func loads() throws {
    let path = try workshop.plugin("Greeter", answer: "good day")
    let loader = workshop.loader()
    let plugin = try loader.load(try loader.open(path: path, expecting: "Greeter"))
    #expect(plugin.name == "Greeter")
    #expect(plugin.path == path)
    #expect(plugin.answer == "good day")
    #expect(plugin.copyPath.hasPrefix(workshop.folder + "/cache/appcore/plugins/Greeter-"))
    #expect(try workshop.read(plugin.copyPath) == workshop.read(path))
  }

  @Test("Copies are this user's alone, and nobody's to change")
  func permissions() throws {
    let plugin = try load(try workshop.plugin("Private"))
    var status = stat()
    #expect(stat(plugin.copyPath, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o500)
    #expect(stat(workshop.path("cache/appcore/plugins"), &status) == 0)
    #expect(status.st_mode & 0o777 == 0o700)
  }

  @Test("The same bytes are loaded once, whatever path they came from")
  func sameBytes() throws {
    let path = try workshop.plugin("Same")
    let other = workshop.path("libElsewhere.so")
    try FileManager.default.copyItem(atPath: path, toPath: other)
    let loader = workshop.loader()
    let first = try load(path, by: loader)
    let second = try load(other, by: loader)
    #expect(first.entry() == second.entry())
    #expect(first.plugin.generation == second.plugin.generation)
    #expect(second.path == other)
  }

  @Test("A new build at the same path is loaded beside the old one, which still answers")
  func newBuild() throws {
    let loader = workshop.loader()
    let path = try workshop.plugin("Changing", answer: "one")
    let first = try load(path, by: loader)
    try workshop.plugin("Changing", answer: "two")
    let second = try load(path, by: loader)
    #expect(first.answer == "one")
    #expect(second.answer == "two")
    #expect(first.plugin.generation != second.plugin.generation)
    #expect(first.plugin.identity != second.plugin.identity)
  }

  @Test("A loaded plugin does not notice that its file is overwritten and cut short")
  func overwritten() throws {
    let path = try workshop.plugin("Steady", answer: "still here")
    let plugin = try load(path)
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.write(contentsOf: Data(repeating: 0xff, count: 4096))
    try handle.truncate(atOffset: 100)
    try handle.close()
    #expect(plugin.answer == "still here")
  }

  @Test("The validated bytes are loaded, even if the file has changed since")
  func validatedBytes() throws {
    let path = try workshop.plugin("Swapped", answer: "validated")
    let loader = workshop.loader()
    let validated = try loader.open(path: path)
    try workshop.plugin("Swapped", answer: "other")
    #expect(try loader.load(validated).answer == "validated")
  }

  @Test("A copy that was damaged in the cache is made anew")
  func damagedCopy() throws {
    let path = try workshop.plugin("Cached", answer: "cached")
    let file = try PluginFile(path: path)
    let copy = workshop.path("cache/appcore/plugins/Cached-\(file.digest).so")
    try workshop.write([UInt8](repeating: 0, count: file.bytes.count), to: copy.dropping(workshop))
    #expect(chmod(copy, 0o500) == 0)
    let plugin = try load(path)
    #expect(plugin.copyPath == copy)
    #expect(plugin.answer == "cached")
  }

  @Test("A cache that belongs to others, or is none, is not used, and nothing is left behind")
  func unusableCache() throws {
    try workshop.write("a file where a folder should be", to: "cache")
    try FileManager.default.createDirectory(
      atPath: workshop.path("tmp"), withIntermediateDirectories: false)
    let loader = PluginLoader(
      environment: ["XDG_CACHE_HOME": workshop.path("cache"), "TMPDIR": workshop.path("tmp")])
    let plugin = try load(try workshop.plugin("Guest", answer: "guest"), by: loader)
    #expect(plugin.copyPath.hasPrefix(workshop.path("tmp/appcore-plugins-")))
    #expect(plugin.answer == "guest")
    #expect(try FileManager.default.contentsOfDirectory(atPath: workshop.path("tmp")).isEmpty)
  }

  @Test("Copies that have not been used for longest make room")
  func pruning() throws {
    let folder = workshop.path("cache/appcore/plugins")
    for index in 0..<80 {
      let path = try workshop.write("old", to: "cache/appcore/plugins/Old\(index)-0.so")
      var times = [timespec(tv_sec: index, tv_nsec: 0), timespec(tv_sec: index, tv_nsec: 0)]
      #expect(utimensat(AT_FDCWD, path, &times, 0) == 0)
    }
    let plugin = try load(try workshop.plugin("Fresh"))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(names.count == CopyPlaces.keptCopies)
    #expect(names.contains("Old79-0.so"))
    #expect(!names.contains("Old16-0.so"))
    #expect(names.contains { plugin.copyPath.hasSuffix($0) })
  }

  @Test("Two plugins that define the same symbols do not meet")
  func localSymbols() throws {
    func source(_ text: String) -> String {
      "const char *shared(void) { return \"\(text)\"; } "
        + "const char *(*volatile pointer)(void) = shared;"
    }
    let loader = workshop.loader()
    let first = try load(try workshop.plugin("Left", answer: "left", more: source("l")), by: loader)
    let second = try load(
      try workshop.plugin("Right", answer: "right", more: source("r")), by: loader)
    #expect(first.answer == "left")
    #expect(second.answer == "right")
    #expect(dlsym(nil, "shared") == nil)
  }

  @Test(
    "A library beside the plugin is found from the copy, with and without a name of its own",
    arguments: [[], ["-Wl,-soname,libCompanion.so"]])
  func companion(options: [String]) throws {
    // The loader knows libraries by name for as long as the process lives.
    let name = "Companion\(UInt64.random(in: 0 ... .max))"
    let soname = options.map { $0.replacingOccurrences(of: "Companion", with: name) }
    try workshop.library(
      "lib\(name).so", "const char *companion(void) { return \"together\"; }", soname)
    let source = """
      extern const char *companion(void);
      extern int \(HostSDK.current.contract.symbol)(void);
      void *appcore_plugin_Pair(void) {
        return \(HostSDK.current.contract.symbol)() ? (void *)companion() : 0;
      }
      """
    let link = ["-L" + workshop.folder, "-l" + name, "-Wl,-rpath,$ORIGIN"]
    let plugin = try load(try workshop.library("libPair.so", source, link))
    #expect(plugin.answer == "together")

    // Another plugin that brings another library of that name would get the first one.
    let other = try Workshop()
    try other.library("lib\(name).so", "const char *companion(void) { return \"other\"; }", soname)
    let second = try other.library(
      "libPair.so", source, ["-L" + other.folder, "-l" + name, "-Wl,-rpath,$ORIGIN"])
    let loader = other.loader()
    let problem = try other.problem { try loader.open(path: second) }
    #expect(
      other.text(problem).replacingOccurrences(of: workshop.folder, with: "$FIRST") == """
        $DIR/libPair.so: error: plugin not accepted: it brings along 'lib\(name).so', which \
        differs from the one already loaded from '$FIRST/lib\(name).so' [plugin-other-dependency]
          help: give the libraries different names; a changed one is loaded at the next start
        """)
  }

  @Test("Threads that load the same and other plugins at once all get theirs")
  func threads() async throws {
    let loader = workshop.loader()
    var paths: [String] = []
    for index in 0..<4 {
      paths.append(try workshop.plugin("Thread\(index)", answer: "thread \(index)"))
    }
    let answers = try await withThrowingTaskGroup(of: String?.self) { group in
      for round in 0..<16 {
        let path = paths[round % 4]
        group.addTask {
          let plugin = try loader.load(try loader.open(path: path))
          return plugin.answer
        }
      }
      return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
    }
    #expect(answers == ["thread 0", "thread 1", "thread 2", "thread 3"])
  }
}

extension String {
  /// The path within a test's folder.
  fileprivate func dropping(_ workshop: Workshop) -> String {
    String(dropFirst(workshop.folder.count + 1))
  }
}
