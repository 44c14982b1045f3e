import Foundation
internal import Support
import Testing

@testable import PluginHost

/// What is said of libraries that this host can't use as plugins, each compiled for real.
@Suite("PluginError, of libraries")
struct PluginErrorLibraryTests {
  let workshop: Workshop

  init() throws { workshop = try Workshop() }

  func refusal(_ path: String, expecting name: String? = nil) throws -> String {
    let loader = workshop.loader()
    return workshop.text(
      try workshop.problem {
        try loader.load(try loader.open(path: path, expecting: name))
      })
  }

  /// Expects that a library is refused with the rule's remedy or another one.
  func expect(
    _ path: String, expecting name: String? = nil, _ rule: Rule, _ message: String,
    details: [String] = [], remedy: String? = nil, stage: PluginError.Stage = .validated,
    at place: SourceLocation = #_sourceLocation
  ) throws {
    let loader = workshop.loader()
    let problem = try workshop.problem {
      try loader.load(try loader.open(path: path, expecting: name))
    }
    #expect(
      problem
        == PluginError(
          stage, path: path, Rejection(rule, message, details: details, remedy: remedy)),
      sourceLocation: place)
  }

  private static let rebuild =
    "rebuild the plugin against this host's SDK: `appcore plugin build <its folder>`, or "
    + "`swift build` for one that is built with the host"

  @Test("A library without an entry")
  func noEntry() throws {
    // Neither data nor a function that is only asked for is an entry.
    let source = """
      int appcore_plugin_Data = 1;
      extern int appcore_plugin_Other(void);
      int f(void) { return appcore_plugin_Other(); }
      """
    try expect(
      try workshop.library("libPlain.so", source), .pluginNoEntry,
      "it exports no function 'appcore_plugin_<Name>'")
  }

  @Test("A library with two entries")
  func severalEntries() throws {
    let path = try workshop.plugin("Two", more: "void *appcore_plugin_Extra(void) { return 0; }")
    try expect(
      path, .pluginSeveralEntries, "it exports 2 entries instead of one",
      details: ["entry: appcore_plugin_Extra", "entry: appcore_plugin_Two"])
  }

  @Test("An entry whose name would lead out of the folder of copies")
  func entryWithPath() throws {
    let source = """
      void *entry(void) __asm__("\\"appcore_plugin_../../evil\\"");
      void *entry(void) { return 0; }
      """
    try expect(
      try workshop.library("libEvil.so", source), .invalidPluginName,
      "'../../evil' can't be the name of a plugin")
  }

  @Test("A plugin under another plugin's file name")
  func otherName() throws {
    let path = try workshop.plugin("Real", file: "libAsked.so")
    try expect(
      path, expecting: "Asked", .pluginOtherName, "this is the plugin 'Real', not 'Asked'",
      remedy: "ask for 'Real', or name its entry 'appcore_plugin_Asked'")
  }

  @Test("A plugin that does not say what it was built against")
  func noContract() throws {
    let path = try workshop.library("libBare.so", "void *appcore_plugin_Bare(void) { return 0; }")
    try expect(
      path, .pluginNoContract, "it does not say which SDK it was built against")
  }

  @Test("A plugin with an SDK of its own inside")
  func ownSDK() throws {
    let symbol = Workshop.otherContract
    let path = try workshop.plugin(
      "Own", contract: symbol, more: "int \(symbol)(void) { return 1; }")
    try expect(
      path, .pluginOwnSDK, "it holds a copy of the SDK instead of using the host's")
  }

  @Test("A plugin built against another SDK: both sides are named")
  func contractMismatch() throws {
    let path = try workshop.plugin("Old", contract: Workshop.otherContract)
    let host = HostSDK.current
    try expect(
      path, .contractMismatch, "built against another epoch of the SDK",
      details: [
        "plugin: epoch 9, Swift 6.3.1",
        "host:   SDK \(host.version), epoch \(host.contract.epoch), Swift \(host.contract.compiler), \(host.configuration.rawValue)",
      ], remedy: Self.rebuild)
  }

  @Test("Where the file shows how it was built, the command that builds it again is named")
  func rebuilding() throws {
    let path = try workshop.plugin(
      "Marked", contract: Workshop.otherContract,
      more: "const char mark[] = \"appcore.sdk.version=9.8.7\";")
    #expect(try refusal(path).contains("\n  plugin: SDK 9.8.7, epoch 9, Swift 6.3.1\n"))
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

  @Test("Symbols of the SDK that this host lacks are shown as Swift")
  func missingSDKSymbols() throws {
    let more = """
      extern int first(void) __asm__("\\"$s7AppCore6WidgetV4drawyyF\\"");
      extern int second(void) __asm__("\\"$s7AppCore5ProbeV3runyyF\\"");
      int use(void) { return first() + second(); }
      """
    try expect(
      try workshop.plugin("Needy", more: more), .pluginMissingSDKSymbols,
      "it needs 2 symbols that this host's SDK \(HostSDK.current.version) lacks",
      details: ["symbol: AppCore.Probe.run() -> ()", "symbol: AppCore.Widget.draw() -> ()"],
      remedy: Self.rebuild)
  }

  @Test("A library that it brings along is checked as the plugin is")
  func missingInLibrary() throws {
    try workshop.library(
      "libHelper.so",
      """
      extern int first(void) __asm__("\\"$s7AppCore6WidgetV4drawyyF\\"");
      int help(void) { return first(); }
      """, ["-Wl,-soname,libHelper.so"])
    let path = try workshop.plugin(
      "Helped", more: "extern int help(void); int use(void) { return help(); }",
      options: ["-L" + workshop.folder, "-lHelper", "-Wl,-rpath,$ORIGIN"])
    let text = try refusal(path)
    #expect(text.contains("[plugin-missing-sdk-symbols]\n  symbol: AppCore.Widget.draw() -> ()\n"))
  }

  @Test("A name that only ends like the SDK's is none of its")
  func otherModule() throws {
    let more = """
      extern int first(void) __asm__("\\"$s17AppCoreExtensions4drawyyF\\"") __attribute__((weak));
      int use(void) { return first ? first() : 0; }
      """
    let file = try PluginFile(path: try workshop.plugin("Weak", more: more))
    #expect(ValidatedPlugin.sdkSymbols(of: file, nil).count == 0)
  }

  @Test("A plugin that is linked to the plugin beside it, with or without a run path")
  func needsPlugin() throws {
    try workshop.plugin("Base", more: "int base(void) { return 1; }")
    let more = "extern int base(void); int use(void) { return base(); }"
    for options in [["-Wl,-rpath,$ORIGIN"], []] {
      let path = try workshop.plugin(
        "Upper", more: more, options: ["-L" + workshop.folder, "-lBase"] + options)
      try expect(
        path, .pluginNeedsPlugin, "it is linked to 'libBase.so', which is the plugin 'Base'")
    }
  }

  @Test("A plugin that reaches another plugin through a library between them")
  func needsPluginIndirectly() throws {
    try workshop.plugin("Deep", more: "int deep(void) { return 1; }")
    let options = ["-L" + workshop.folder, "-Wl,-rpath,$ORIGIN"]
    try workshop.library(
      "libBetween.so", "extern int deep(void); int between(void) { return deep(); }",
      options + ["-lDeep"])
    let path = try workshop.plugin(
      "Reach", more: "extern int between(void); int use(void) { return between(); }",
      options: options + ["-lBetween"])
    #expect(try refusal(path).contains("it is linked to 'libDeep.so', which is the plugin 'Deep'"))
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
    #expect(
      try refusal(second).contains("it is linked to '\(name)', which is the plugin 'First'"))
  }

  @Test("A library beside the plugin that is damaged")
  func brokenDependency() throws {
    let library = try workshop.library("libHelper.so", "int help(void) { return 1; }")
    let path = try workshop.plugin(
      "Helped", more: "extern int help(void); int use(void) { return help(); }",
      options: ["-L" + workshop.folder, "-lHelper", "-Wl,-rpath,$ORIGIN"])
    try workshop.write("oops", to: "libHelper.so")
    #expect(library == workshop.path("libHelper.so"))
    try expect(
      path, .pluginBrokenDependency, "it needs 'libHelper.so', and there this is a text file",
      remedy: "rebuild or reinstall 'libHelper.so'")
  }

  @Test("A library that the loader does not find")
  func libraryNotFound() throws {
    let helper = try workshop.library("libAbsent.so", "int absent(void) { return 1; }")
    let path = try workshop.plugin(
      "Lonely", more: "extern int absent(void); int use(void) { return absent(); }",
      options: ["-L" + workshop.folder, "-lAbsent"])
    try FileManager.default.removeItem(atPath: helper)
    try expect(
      path, .pluginLibraryNotFound, "it needs 'libAbsent.so', which is not found",
      remedy:
        "install 'libAbsent.so'; if it is beside the plugin, link the plugin with a run path of `$ORIGIN`",
      stage: .loaded)
  }

  @Test("Symbols that nothing defines are shown as Swift, all of them")
  func undefinedSymbols() throws {
    let more = """
      extern int first(void) __asm__("\\"$s5Other4ShopV3buyyyF\\"");
      extern int second(void);
      int use(void) { return first() + second(); }
      """
    try expect(
      try workshop.plugin("Dangling", more: more), .pluginUndefinedSymbols,
      "it needs 2 symbols that nothing defines",
      details: ["symbol: Other.Shop.buy() -> ()", "symbol: second"], stage: .loaded)
  }

  @Test("Files that the loader refuses for its own reasons, in its words")
  func loaderMessage() throws {
    let path = try workshop.plugin("Closed", options: ["-Wl,-z,nodlopen"])
    try expect(
      path, .pluginLoader, "the loader refuses: shared object cannot be dlopen()ed", stage: .loaded)
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
    try expect(
      path, .pluginEntryNotLoaded, "the loader does not find 'appcore_plugin_Hidden'",
      stage: .loaded)
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

  @Test("Errors of a plugin's registration")
  func registration() {
    let problem = PluginError(
      .registered, path: "libShop.so", .registration("feature 'Cart' is registered twice"))
    #expect(
      problem.description == """
        libShop.so: error: plugin not registered: feature 'Cart' is registered twice \
        [plugin-registration]
          help: correct the plugin, or the `version` in the manifest
        """)
  }
}
