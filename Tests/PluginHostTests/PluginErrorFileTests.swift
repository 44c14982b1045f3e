import Foundation
internal import Support
import Testing

@testable import PluginHost

/// What is said of paths and files that are no plugins, each made for real.
@Suite("PluginError, of files")
struct PluginErrorFileTests {
  let workshop: Workshop

  init() throws { workshop = try Workshop() }

  /// Expects that a file, by its name in the workshop or its absolute path, is refused with the rule's
  /// remedy or another one.
  func expect(
    _ name: String, _ rule: Rule, _ message: String, remedy: String? = nil,
    stage: PluginError.Stage = .read, sizeLimit: UInt64 = PluginFile.sizeLimit,
    at place: SourceLocation = #_sourceLocation
  ) throws {
    let path = name.hasPrefix("/") ? name : workshop.path(name)
    let problem = try workshop.problem { try PluginFile(path: path, sizeLimit: sizeLimit) }
    #expect(
      problem == PluginError(stage, path: path, Rejection(rule, message, remedy: remedy)),
      sourceLocation: place)
  }

  /// Expects that a plugin's file with some bytes overwritten is refused.
  func expect(
    patching offset: Int, with bytes: [UInt8], _ rule: Rule, _ message: String,
    at place: SourceLocation = #_sourceLocation
  ) throws {
    var file = try workshop.read(try workshop.plugin("Patched"))
    file.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    try workshop.write(file, to: "libPatched.so")
    try expect("libPatched.so", rule, message, at: place)
  }

  @Test("A plugin that is nowhere: every path that was tried, and why where that is not obvious")
  func notFound() throws {
    try workshop.write("not a folder", to: "file")
    let long = String(repeating: "n", count: 300)
    let locator = PluginLocator(
      pluginPath: [workshop.path("a"), workshop.path(long)], manifestFolder: workshop.path("file"))
    let text = workshop.text(try workshop.problem { try locator.locate(name: "Missing") })
    #expect(
      text.hasPrefix(
        """
        Missing: error: plugin not found: no file 'libMissing.so' on the plugin path \
        [plugin-not-found]
          tried: $DIR/a/libMissing.so
          tried: $DIR/\(long)/libMissing.so (file name too long)
          tried: $DIR/file/libMissing.so

        """), "\(text)")
    #expect(
      text.hasSuffix(
        "help: build the plugin, or name its folder with `--plugin-path` or `APPCORE_PLUGIN_PATH`"))
    #expect(
      try workshop.problem { try PluginLocator().locate(name: "My Plugin") }
        == PluginError(
          .found, path: "My Plugin",
          Rejection(.invalidPluginName, "'My Plugin' can't be the name of a plugin")))
  }

  @Test("A path to nothing, links to nothing and in a circle, and a path that the system refuses")
  func paths() throws {
    let remedy = "build the plugin, or correct the path"
    try expect(
      "libNone.so", .pluginNotFound, "no such file or directory", remedy: remedy, stage: .found)
    let path = workshop.path("libNone.so")
    #expect(
      try workshop.problem { try PluginLocator().locate(path: path) }
        == PluginError(
          .found, path: path,
          Rejection(.pluginNotFound, "no such file or directory", remedy: remedy)))
    for (target, link) in [("libGone.so", "link.so"), ("b.so", "a.so"), ("a.so", "b.so")] {
      #expect(symlink(target, workshop.path(link)) == 0)
    }
    try expect(
      "link.so", .pluginBrokenLink, "this is a link to 'libGone.so', which does not exist")
    try expect("a.so", .pluginBrokenLink, "this link leads back to itself")
    try expect(
      "/" + String(repeating: "n", count: 300), .pluginUnreadable,
      "the system refuses: file name too long")
  }

  @Test("A directory, a pipe, a socket and a device")
  func otherKinds() throws {
    try expect(workshop.folder, .pluginNotAFile, "this is a directory")
    #expect(mkfifo(workshop.path("pipe.so"), 0o600) == 0)
    try expect("pipe.so", .pluginNotAFile, "this is a named pipe")
    try expect("/dev/null", .pluginNotAFile, "this is a character device")

    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = workshop.path("s.so")
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    #expect(bound == 0)
    try expect("s.so", .pluginNotAFile, "this is a socket")
  }

  @Test("A file that may not be read", .enabled(if: geteuid() != 0))
  func forbidden() throws {
    #expect(chmod(try workshop.write("secret", to: "libSecret.so"), 0) == 0)
    try expect("libSecret.so", .pluginUnreadable, "the system refuses: permission denied")
  }

  @Test("An empty file, and one that is too large")
  func sizes() throws {
    try workshop.write("", to: "libEmpty.so")
    try expect("libEmpty.so", .pluginEmpty, "the file is empty")
    try workshop.write("0123456789", to: "libLarge.so")
    try expect(
      "libLarge.so", .pluginTooLarge, "the file has 10 bytes, and 9 is the limit", sizeLimit: 9)
  }

  @Test("A file that shrinks or grows while it is read")
  func changed() throws {
    let path = try workshop.plugin("Moving")
    for size in [off_t(5000), 500_000] {
      var reader = FileReader(path: path, sizeLimit: PluginFile.sizeLimit)
      reader.onFirstBytes = { truncate(path, size) }
      let problem = try workshop.problem {
        let (buffer, _, _) = try reader.read()
        buffer.deallocate()
      }
      #expect(
        workshop.text(problem) == """
          $DIR/libMoving.so: error: plugin not read: the file changed while it was read \
          [plugin-changed]
            help: wait until the build has ended, and try again
          """)
    }
  }

  @Test("Files that are not ELF, named for what they are")
  func notELF() throws {
    try workshop.write("GROUP ( libReal.so ) # grüße\n", to: "text.so")
    try workshop.write([0, 1, 2, 3, 0xff], to: "binary.so")
    try workshop.write("int f(void) { return 1; }", to: "f.c")
    try Workshop.run("cc", ["-c", "-o", workshop.path("f.o"), workshop.path("f.c")])
    try Workshop.run("ar", ["rc", workshop.path("f.a"), workshop.path("f.o")])
    try Workshop.run("gzip", ["-k", workshop.path("f.o")])
    for (name, kind) in [
      ("text.so", "a text file"), ("binary.so", "not an ELF file"),
      ("f.a", "a static library (ar archive)"), ("f.o.gz", "a compressed file"),
    ] {
      try expect(name, .pluginNotELF, "this is \(kind)")
    }
  }

  @Test("ELF files that are no shared library: an object file, and executables of both kinds")
  func notShared() throws {
    let source = try workshop.write("int main(void) { return 0; }", to: "main.c")
    for (options, kind) in [
      (["-c"], "an object file"), (["-no-pie"], "an executable"),
      (["-pie", "-fPIE"], "an executable"),
    ] {
      try Workshop.run("cc", options + ["-o", workshop.path("main"), source])
      try expect("main", .pluginNotShared, "this is \(kind), not a shared library")
    }
    for (type, kind) in [(UInt8(4), "a core dump"), (9, "an ELF file of type 9")] {
      try expect(
        patching: 16, with: [type, 0], .pluginNotShared, "this is \(kind), not a shared library")
    }
  }

  @Test("Libraries for another machine")
  func otherMachine() throws {
    let host = ELFFile.machineName(ELFFile.hostMachine)
    for (offset, bytes, message) in [
      (18, [243, 0], "it is for RISC-V, and this host is \(host)"),
      (18, [0x34, 0x12], "it is for machine number 4660, and this host is \(host)"),
      (4, [1], "it is for 32-bit programs"),
      (4, [7], "its class at 0x4 is 7 instead of 2 (64-bit)"),
      (5, [2], "it is for a big-endian machine"),
      (5, [0], "its byte order at 0x5 is 0 instead of 1 (little-endian)"),
    ] as [(Int, [UInt8], String)] {
      try expect(patching: offset, with: bytes, .pluginOtherMachine, message)
    }
  }

  @Test("A file that is cut off: which structure, how far it reaches, and where the file ends")
  func truncated() throws {
    let bytes = try workshop.read(try workshop.plugin("Cut"))
    let sections = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 40, as: UInt64.self) }
    try workshop.write(Array(bytes.dropLast()), to: "libCut.so")
    try expect(
      "libCut.so", .pluginTruncated,
      "cut off: the section header table at \(hex(sections)) reaches to \(hex(bytes.count)), and the "
        + "file ends at \(hex(bytes.count - 1))")
    try workshop.write(Array(bytes.prefix(20)), to: "libCut.so")
    try expect(
      "libCut.so", .pluginTruncated,
      "cut off: the file header at 0x0 reaches to 0x40, and the file ends at 0x14")
    try expect(
      patching: 32, with: [UInt8](repeating: 0xff, count: 8), .pluginTruncated,
      "the program header table at 0xffffffffffffffff reaches past the end of all memory")
  }

  @Test("A damaged file: which structure, where, what it should have, and what it has")
  func malformed() throws {
    try expect(
      patching: 54, with: [57], .pluginDamaged,
      "damaged: the file header at 0x36 should have program headers of 56 bytes, and has 57")
    try expect(
      patching: 64 + 48, with: [3], .pluginDamaged,
      "damaged: the loadable segment at 0x40 should have an alignment to pages, and has 0x1003")
  }

  @Test("Control characters in a path do not reach the terminal")
  func controlCharacters() throws {
    let path = try workshop.write("", to: "lib\u{1B}[2J\n.so")
    #expect(
      workshop.text(try workshop.problem { try PluginFile(path: path) }) == """
        $DIR/lib␛[2J␊.so: error: plugin not read: the file is empty [plugin-empty]
          help: build or copy the file again
        """)
  }
}
