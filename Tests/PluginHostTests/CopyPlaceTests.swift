import Foundation
import Testing

@testable import PluginHost

/// Where a plugin is loaded from when the user's cache does not take its copy.
@Suite("Places for private copies")
struct CopyPlaceTests {
  let workshop: Workshop

  init() throws { workshop = try Workshop() }

  func load(_ path: String, _ environment: [String: String]) throws -> OpenedPlugin {
    let loader = PluginLoader(environment: environment)
    return try loader.load(try loader.open(path: path))
  }

  @Test("Without a folder to write to, a plugin is loaded from memory, and scanned there")
  func memory() throws {
    let path = try workshop.plugin("Homeless", answer: "home")
    let environment = ["TMPDIR": workshop.path("none")]
    let loader = PluginLoader(environment: environment)
    let prepared = try loader.prepare(try loader.open(path: path))
    #expect(prepared.file.copy.hasPrefix("/proc/\(getpid())/fd/"))
    #expect(!prepared.isKept && prepared.hasSoundCopies)
    // Nobody can change it.
    let descriptor = open(prepared.file.copy, O_RDWR)
    #expect(descriptor < 0 || write(descriptor, "x", 1) == -1)
    let bench = try ScanBench()
    let scanner = try bench.scanner()
    scanner.add(prepared)
    #expect(try scanner.finish().map { try $0.get() } == [Array("home".utf8)])
    #expect(try loader.load(prepared).answer == "home")
    // The same bytes are one file.
    let again = try loader.prepare(try loader.open(path: path))
    #expect(again.file.copy == prepared.file.copy)
  }

  @Test(
    "With a full cache disk, a plugin is loaded from another place", .enabled(if: geteuid() == 0))
  func fullDisk() throws {
    let disk = try workshop.makeFolder("disk")
    guard
      (try? Workshop.run("mount", ["-t", "tmpfs", "-o", "size=64k,mode=0700", "none", disk])) != nil
    else { return }
    defer { try? Workshop.run("umount", [disk]) }
    try workshop.write([UInt8](repeating: 1, count: 60_000), to: "disk/filling")
    let plugin = try load(
      try workshop.plugin("Full", answer: "full"),
      ["XDG_CACHE_HOME": disk, "XDG_RUNTIME_DIR": disk, "TMPDIR": workshop.folder])
    #expect(plugin.copyPath.hasPrefix(workshop.path("appcore-plugins-")))
    #expect(plugin.answer == "full")
    let other = try load(
      try workshop.plugin("Fuller", answer: "fuller"), ["XDG_CACHE_HOME": disk, "TMPDIR": disk])
    #expect(other.copyPath.hasPrefix("/proc/"))
    #expect(other.answer == "fuller")
    let left = try FileManager.default.contentsOfDirectory(atPath: disk)
    #expect(left.sorted() == ["appcore", "filling"])
  }

  @Test("A library that is found by its place needs a folder")
  func noFolder() throws {
    let name = "Place\(UInt64.random(in: 0 ... .max))"
    try workshop.library("lib\(name).so", "int place(void) { return 1; }")
    let path = try workshop.plugin(
      "Placed", more: "extern int place(void); int use(void) { return place(); }",
      options: ["-L" + workshop.folder, "-l" + name, "-Wl,-rpath,$ORIGIN"])
    let problem = try workshop.problem { try load(path, ["TMPDIR": workshop.path("none")]) }
    #expect(
      workshop.text(problem) == """
        $DIR/libPlaced.so: error: plugin not loaded: no private copy can be made in '$DIR/none': \
        no such file or directory [plugin-not-copied]
          help: free some space, or name another folder with `XDG_CACHE_HOME`
        """)
  }

  @Test("Programs that start at once share one copy, whoever makes it")
  func atOnce() async throws {
    for number in 0..<20 {
      let path = try workshop.plugin("Shared\(number)")
      let loaders = (0..<6).map { _ in workshop.loader() }
      let identities = try await withThrowingTaskGroup(of: FileIdentity.self) { group in
        for loader in loaders {
          group.addTask {
            let prepared = try loader.prepare(try loader.open(path: path))
            return prepared.file.copyIdentity
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(identities.allSatisfy { $0.isSameFile(as: identities[0]) })
    }
  }

  @Test("Of one plugin only the newest builds are kept, as they are made")
  func builds() throws {
    let good = try workshop.read(try workshop.plugin("Often"))
    let loader = workshop.loader()
    var last: PreparedPlugin?
    for index in 0..<40 {
      let path = try workshop.write(good + Array("\(index)".utf8), to: "libOften.so")
      last = try loader.prepare(try loader.open(path: path))
      // Each is older than a scan takes when the next one comes.
      var times = [timespec](repeating: timespec(tv_sec: 1_000_000 + index, tv_nsec: 0), count: 2)
      #expect(utimensat(AT_FDCWD, try #require(last).file.copy, &times, 0) == 0)
    }
    let folder = workshop.path("cache/appcore/plugins")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(names.count <= CopyPlaces.keptBuilds + 1)
    #expect(FileManager.default.fileExists(atPath: try #require(last).file.copy))
  }

  @Test("A copy that is used again is not removed for newer builds: it may be being scanned")
  func usedAgain() throws {
    let good = try workshop.read(try workshop.plugin("Again"))
    let loader = workshop.loader()
    func prepare(_ bytes: [UInt8]) throws -> PreparedPlugin {
      try loader.prepare(try loader.open(path: try workshop.write(bytes, to: "libAgain.so")))
    }
    let copy = try prepare(good).file.copy
    // As if it had been made half an hour ago.
    let then = timespec(tv_sec: time(nil) - 1800, tv_nsec: 0)
    #expect(utimensat(AT_FDCWD, copy, [then, then], 0) == 0)
    #expect(try prepare(good).file.copy == copy)
    for index in 0...CopyPlaces.keptBuilds { _ = try prepare(good + Array("\(index)".utf8)) }
    #expect(FileManager.default.fileExists(atPath: copy))
  }
}
