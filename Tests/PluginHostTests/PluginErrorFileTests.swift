import Foundation
import Testing

@testable import PluginHost

/// What is said of paths and files that are no plugins, each made for real.
@Suite("PluginError, of files")
struct PluginErrorFileTests {
  let workshop: Workshop

  init() throws { workshop = try Workshop() }

  func refusal(_ path: String, sizeLimit: UInt64 = PluginFile.sizeLimit) throws -> String {
    workshop.text(
      try workshop.problem {
        try PluginFile(path: path, sizeLimit: sizeLimit)
      })
  }

  /// The refusal of a plugin's file with some bytes overwritten.
  func refusal(patching offset: Int, with bytes: [UInt8]) throws -> String {
    var file = try workshop.read(try workshop.plugin("Patched"))
    file.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    return try refusal(try workshop.write(file, to: "libPatched.so"))
  }

  @Test("A plugin that is nowhere: every path that was tried, and why where that is not obvious")
  func notFound() throws {
    try workshop.write("not a folder", to: "file")
    let locator = PluginLocator(
      pluginPath: [workshop.path("a"), workshop.path(String(repeating: "n", count: 300))],
      manifestFolder: workshop.path("file"))
    let problem = try workshop.problem {
      try locator.locate(name: "Missing")
    }
    let long = String(repeating: "n", count: 300)
    let text = workshop.text(problem)
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
  }

  @Test("A name that can't be a plugin's")
  func invalidName() throws {
    let problem = try workshop.problem {
      try PluginLocator().locate(name: "My Plugin")
    }
    #expect(
      workshop.text(problem) == """
        My Plugin: error: plugin not found: 'My Plugin' can't be the name of a plugin \
        [invalid-plugin-name]
          help: write a name of letters, digits and `_` that does not begin with a digit; a path must \
        contain a `/`
        """)
  }

  @Test("A path to nothing")
  func missingPath() throws {
    let expected = """
      $DIR/libNone.so: error: plugin not found: no such file or directory [plugin-not-found]
        help: build the plugin, or correct the path
      """
    #expect(try refusal(workshop.path("libNone.so")) == expected)
    let problem = try workshop.problem {
      try PluginLocator().locate(path: workshop.path("libNone.so"))
    }
    #expect(workshop.text(problem) == expected)
  }

  @Test("A directory, a pipe, a socket and a device")
  func otherKinds() throws {
    func expected(_ path: String, _ kind: String) -> String {
      """
      \(path): error: plugin not read: this is \(kind) [plugin-not-a-file]
        help: name the plugin's `.so` file
      """
    }
    #expect(try refusal(workshop.folder) == expected("$DIR", "a directory"))
    #expect(mkfifo(workshop.path("pipe.so"), 0o600) == 0)
    #expect(try refusal(workshop.path("pipe.so")) == expected("$DIR/pipe.so", "a named pipe"))
    #expect(try refusal("/dev/null") == expected("/dev/null", "a character device"))

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
    #expect(try refusal(path) == expected("$DIR/s.so", "a socket"))
  }

  @Test("A link to nothing, and links in a circle")
  func links() throws {
    #expect(symlink("libGone.so", workshop.path("link.so")) == 0)
    #expect(
      try refusal(workshop.path("link.so")) == """
        $DIR/link.so: error: plugin not read: this is a link to 'libGone.so', which does not \
        exist [plugin-broken-link]
          help: build the plugin, or correct the link
        """)
    #expect(symlink("b.so", workshop.path("a.so")) == 0)
    #expect(symlink("a.so", workshop.path("b.so")) == 0)
    #expect(
      try refusal(workshop.path("a.so")) == """
        $DIR/a.so: error: plugin not read: this link leads back to itself [plugin-broken-link]
          help: build the plugin, or correct the link
        """)
  }

  @Test("A path that the system refuses")
  func unreadable() throws {
    let name = String(repeating: "n", count: 300)
    #expect(
      try refusal("/\(name)") == """
        /\(name): error: plugin not read: the system refuses: file name too long \
        [plugin-unreadable]
          help: check the permissions of the file and of the folders on its path
        """)
  }

  @Test("A file that may not be read", .enabled(if: geteuid() != 0))
  func forbidden() throws {
    let path = try workshop.write("secret", to: "libSecret.so")
    #expect(chmod(path, 0) == 0)
    #expect(
      try refusal(path) == """
        $DIR/libSecret.so: error: plugin not read: the system refuses: permission denied \
        [plugin-unreadable]
          help: check the permissions of the file and of the folders on its path
        """)
  }

  @Test("An empty file, and one that is too large")
  func sizes() throws {
    #expect(
      try refusal(try workshop.write("", to: "libEmpty.so")) == """
        $DIR/libEmpty.so: error: plugin not read: the file is empty [plugin-empty]
          help: build or copy the file again
        """)
    #expect(
      try refusal(try workshop.write("0123456789", to: "libLarge.so"), sizeLimit: 9) == """
        $DIR/libLarge.so: error: plugin not read: the file has 10 bytes, and 9 is the limit \
        [plugin-too-large]
          help: build the plugin for release, or strip it of debug information
        """)
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
    func expected(_ name: String, _ kind: String) -> String {
      """
      $DIR/\(name): error: plugin not read: this is \(kind) [plugin-not-elf]
        help: name the plugin's `.so` file, or build it as a dynamic library with `appcore plugin \
      build`
      """
    }
    let text = try workshop.write("GROUP ( libReal.so ) # grüße\n", to: "text.so")
    #expect(try refusal(text) == expected("text.so", "a text file"))
    let binary = try workshop.write([0, 1, 2, 3, 0xff], to: "binary.so")
    #expect(try refusal(binary) == expected("binary.so", "not an ELF file"))

    try workshop.write("int f(void) { return 1; }", to: "f.c")
    try Workshop.run("cc", ["-c", "-o", workshop.path("f.o"), workshop.path("f.c")])
    try Workshop.run("ar", ["rc", workshop.path("f.a"), workshop.path("f.o")])
    #expect(
      try refusal(workshop.path("f.a"))
        == expected("f.a", "a static library (ar archive)"))
    try Workshop.run("gzip", ["-k", workshop.path("f.o")])
    #expect(try refusal(workshop.path("f.o.gz")) == expected("f.o.gz", "a compressed file"))
  }

  @Test("ELF files that are no shared library: an object file, and executables of both kinds")
  func notShared() throws {
    func expected(_ name: String, _ kind: String) -> String {
      """
      $DIR/\(name): error: plugin not read: this is \(kind), not a shared library \
      [plugin-not-shared]
        help: build the plugin as a dynamic library: with `appcore plugin build`, or as a product of \
      type `.dynamic`
      """
    }
    let source = try workshop.write("int main(void) { return 0; }", to: "main.c")
    try Workshop.run("cc", ["-c", "-o", workshop.path("main.o"), source])
    #expect(try refusal(workshop.path("main.o")) == expected("main.o", "an object file"))
    try Workshop.run("cc", ["-no-pie", "-o", workshop.path("fixed"), source])
    #expect(try refusal(workshop.path("fixed")) == expected("fixed", "an executable"))
    try Workshop.run("cc", ["-pie", "-fPIE", "-o", workshop.path("pie"), source])
    #expect(try refusal(workshop.path("pie")) == expected("pie", "an executable"))
    #expect(
      try refusal(patching: 16, with: [4, 0]) == expected("libPatched.so", "a core dump"))
    #expect(
      try refusal(patching: 16, with: [9, 0])
        == expected("libPatched.so", "an ELF file of type 9"))
  }

  @Test("Libraries for another machine")
  func otherMachine() throws {
    func expected(_ message: String) -> String {
      """
      $DIR/libPatched.so: error: plugin not read: \(message) [plugin-other-machine]
        help: build the plugin for this machine
      """
    }
    let host = ELFConstants.Machine.name(ELFConstants.Machine.host)
    #expect(
      try refusal(patching: 18, with: [243, 0])
        == expected("it is for RISC-V, and this host is \(host)"))
    #expect(
      try refusal(patching: 18, with: [0x34, 0x12])
        == expected("it is for machine number 4660, and this host is \(host)"))
    #expect(try refusal(patching: 4, with: [1]) == expected("it is for 32-bit programs"))
    #expect(
      try refusal(patching: 4, with: [7])
        == expected("its class at 0x4 is 7 instead of 2 (64-bit)"))
    #expect(try refusal(patching: 5, with: [2]) == expected("it is for a big-endian machine"))
    #expect(
      try refusal(patching: 5, with: [0])
        == expected("its byte order at 0x5 is 0 instead of 1 (little-endian)"))
  }

  @Test("A file that is cut off: which structure, how far it reaches, and where the file ends")
  func truncated() throws {
    let bytes = try workshop.read(try workshop.plugin("Cut"))
    let sections = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 40, as: UInt64.self) }
    let short = try workshop.write(Array(bytes.dropLast()), to: "libCut.so")
    #expect(
      try refusal(short) == """
        $DIR/libCut.so: error: plugin not read: cut off: the section header table at \
        \(hex(sections)) reaches to \(hex(bytes.count)), and the file ends at \
        \(hex(bytes.count - 1)) [plugin-truncated]
          help: build or copy the file again
        """)
    let header = try workshop.write(Array(bytes.prefix(20)), to: "libCut.so")
    #expect(
      try refusal(header) == """
        $DIR/libCut.so: error: plugin not read: cut off: the file header at 0x0 reaches to 0x40, \
        and the file ends at 0x14 [plugin-truncated]
          help: build or copy the file again
        """)
    #expect(
      try refusal(patching: 32, with: [UInt8](repeating: 0xff, count: 8)) == """
        $DIR/libPatched.so: error: plugin not read: the program header table at \
        0xffffffffffffffff reaches past the end of all memory [plugin-truncated]
          help: build or copy the file again
        """)
  }

  @Test("A damaged file: which structure, where, what it should have, and what it has")
  func malformed() throws {
    func expected(_ message: String) -> String {
      """
      $DIR/libPatched.so: error: plugin not read: damaged: \(message) [plugin-damaged]
        help: build or copy the file again
      """
    }
    #expect(
      try refusal(patching: 54, with: [57])
        == expected(
          "the file header at 0x36 should have program headers of 56 bytes, and has 57"))
    #expect(
      try refusal(patching: 64 + 48, with: [3])
        == expected(
          "the loadable segment at 0x40 should have an alignment to pages, and has 0x1003"))
  }

  @Test("Control characters in a path do not reach the terminal")
  func controlCharacters() throws {
    let path = try workshop.write("", to: "lib\u{1B}[2J\n.so")
    #expect(
      try refusal(path) == """
        $DIR/lib␛[2J␊.so: error: plugin not read: the file is empty [plugin-empty]
          help: build or copy the file again
        """)
  }
}
