import Foundation
internal import Support
import Testing

@testable import PluginHost

/// What is said of files that can't be used as plugins, where a command can't show it.
///
/// All others are in `Tests/Transcripts/plugins`.
@Suite("PluginError")
struct PluginErrorTests {
  let workshop: Workshop

  init() throws { workshop = try Workshop() }

  @Test("A file that shrinks or grows while it is read")
  func changed() throws {
    let path = try workshop.plugin("Moving")
    for size in [off_t(5000), 500_000] {
      var reader = FileReader(path: path)
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

  @Test("Where the file shows how it was built, the command that builds it again is named")
  func rebuilding() {
    for (path, command) in [
      ("/a/My/.build/appcore/debug/libMy.so", "appcore plugin build /a/My"),
      ("/a b/My/.build/appcore/release/libMy.so", "appcore plugin build '/a b/My' -c release"),
      (".build/appcore/debug/libMy.so", "appcore plugin build"),
      ("x/.build/debug/libMy.so", "swift build --package-path x"),
      ("/x/.build/linux/release/libMy.so", "swift build --package-path /x -c release"),
      (".build/debug/libMy.so", "swift build"),
      ("/.build/debug/libMy.so", "swift build --package-path /"),
    ] {
      #expect(Rejection.rebuildCommand(path) == "`\(command)`")
    }
  }

  @Test("A plugin that is linked to one that is loaded already")
  func needsLoadedPlugin() throws {
    let name = "libFirst-\(UInt64.random(in: 0 ... .max)).so"
    let first = try workshop.plugin(
      "First", more: "int first(void) { return 1; }", options: ["-Wl,-soname,\(name)"])
    let loader = workshop.loader()
    _ = try loader.load(try loader.open(path: first))
    let second = try workshop.plugin(
      "Second", more: "extern int first(void); int use(void) { return first(); }", options: [first])
    try FileManager.default.removeItem(atPath: first)
    let other = workshop.loader()
    let problem = try workshop.problem { try other.load(try other.open(path: second)) }
    #expect(
      workshop.text(problem).contains("it is linked to '\(name)', which is the plugin 'First'"))
  }

  @Test("An entry that the file has and the loader does not find")
  func entryNotLoaded() throws {
    let path = try workshop.plugin("Hidden", options: ["-Wl,--hash-style=gnu"])
    var bytes = try workshop.read(path)
    let filter = try bytes.withUnsafeBytes { buffer in
      let elf = try ELFFile(buffer)
      let address = try #require(elf.dynamic[ELFFile.Tag.gnuHash])
      return Int(try elf.offset(of: 24, at: address, .gnuHashTable)) + 16
    }
    // The filter that says which names may be in the table: now none.
    bytes.replaceSubrange(filter..<filter + 8, with: [UInt8](repeating: 0, count: 8))
    try workshop.write(bytes, to: "libHidden.so")
    let loader = workshop.loader()
    let problem = try workshop.problem { try loader.load(try loader.open(path: path)) }
    let message = "the loader does not find 'appcore_plugin_Hidden'"
    #expect(
      problem == PluginError(.loaded, path: path, Rejection(.pluginEntryNotLoaded, message)))
  }

  @Test("A cache on a file system that runs no code")
  func notExecutable() throws {
    let validated = try workshop.loader().open(path: try workshop.plugin("Idle"))
    // What the loader says of a `noexec` mount, which a test can't make without privileges.
    let text = "/c/Idle.so: failed to map segment from shared object"
    let cause = Rejection.notOpened(
      text, copy: "/c/Idle.so", validated.file, validated.dependencies, runsNoCode: { _ in true })
    let other = Rejection.notOpened(
      text, copy: "/c/Idle.so", validated.file, validated.dependencies, runsNoCode: { _ in false })
    #expect(other == .loader("failed to map segment from shared object"))
    let problem = PluginError(.loaded, path: validated.file.path, cause)
    #expect(
      workshop.text(problem) == """
        $DIR/libIdle.so: error: plugin not loaded: the system runs no code from '/c', where its \
        private copy is [plugin-not-executable]
          help: name another folder with `XDG_CACHE_HOME`, on a file system that is not mounted \
        `noexec`
        """)
  }
}
