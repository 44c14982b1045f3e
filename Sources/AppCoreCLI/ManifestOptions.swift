internal import AppCheck
internal import AppCoreHost
public import ArgumentParser
internal import Glibc
internal import PluginHost
internal import Supervision

/// The argument of all commands that work on one app.
///
/// Commands that only read it take an ``AppArgument``.
struct ManifestOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "The manifest or its folder; by default the manifest in the working directory.",
      valueName: "manifest"),
    completion: .file(extensions: ["yaml", "yml"]))
  var manifest: String?

  @OptionGroup var reading: ReadingOptions
}

/// The argument of commands that read an app, which may also be a bundle.
struct AppArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "A manifest, its folder or a bundle; by default '.'.", valueName: "manifest"),
    completion: .file(extensions: ["yaml", "yml", "gz", "tgz", "deb"]))
  var manifest: String?

  @OptionGroup var reading: ReadingOptions
}

extension AppSource {
  /// Finds the app that an argument names, and shows the paths in an archive by the archive's.
  init(named path: String?) throws {
    try self.init(path)
    if let unpackedFolder, let path { Console.show(unpackedFolder, as: path) }
  }
}

struct ReadingOptions: ParsableArguments {
  @OptionGroup var plugins: PluginOptions

  @Option(
    name: .customLong("set"), parsing: .singleValue,
    help: ArgumentHelp("Set a variable; repeatable.", valueName: "name=value"),
    completion: .names { $0.variables.map(\.name) })
  var settings: [String] = []

  @Option(
    name: .customLong("mock"), parsing: .singleValue,
    help: ArgumentHelp(
      "Mock a plugin from its interface file; repeatable.", valueName: "plugin=file"),
    completion: .names { $0.plugins.map { $0.name + "=" } })
  var mocks: [String] = []

  @Flag(
    name: .customLong("allow-outside"),
    help: "Allow includes outside the manifest's folder.")
  var allowsOutside = false

  @Flag(name: .customLong("locked"), help: "Refuse what the app's lock does not have.")
  var isLocked = false

  func validate() throws { _ = try appOptions() }

  /// The options as command-line arguments, to start this program again with them.
  var arguments: [String] {
    var arguments = plugins.pluginPath.flatMap { ["--plugin-path", $0] }
    if plugins.allowsWritable { arguments.append("--allow-writable") }
    if allowsOutside { arguments.append("--allow-outside") }
    if isLocked { arguments.append("--locked") }
    arguments += settings.flatMap { ["--set", $0] }
    return arguments + mocks.flatMap { ["--mock", $0] }
  }

  /// The options in the form that the host takes.
  ///
  /// - Throws: a usage error if a `--set` or `--mock` is malformed, or a mock is given twice.
  func appOptions() throws -> AppOptions {
    var options = plugins.appOptions
    options.isLocked = isLocked
    options.allowsOutside = allowsOutside
    for setting in settings {
      guard let (name, value) = Self.pair(setting) else {
        throw ValidationError("'--set \(setting)' has no value; write '--set name=value'.")
      }
      options.settings[name] = value
    }
    for mock in mocks {
      guard let (name, file) = Self.pair(mock), !file.isEmpty else {
        throw ValidationError("'--mock \(mock)' has no file; write '--mock PLUGIN=FILE'.")
      }
      guard options.mocks.updateValue(file, forKey: name) == nil else {
        throw ValidationError("'--mock \(name)=…' is given twice; a plugin has one mock.")
      }
    }
    return options
  }

  private static func pair(_ argument: String) -> (name: String, value: String)? {
    guard let equals = argument.firstIndex(of: "="), equals != argument.startIndex else {
      return nil
    }
    return (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
  }
}

// These conformances of public types are public, which is why ArgumentParser is imported publicly.
extension ReportFormat: ExpressibleByArgument {}
extension GraphFormat: ExpressibleByArgument {}
extension BuildConfiguration: ExpressibleByArgument {}

struct PluginOptions: ParsableArguments {
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("Search this folder for plugins first; repeatable.", valueName: "dir"),
    completion: .directory)
  var pluginPath: [String] = []

  @Flag(
    name: .customLong("rescan"),
    help: "Scan plugins again, ignoring the cache.")
  var rescans = false

  @Flag(
    name: .customLong("allow-writable"),
    help: "Allow plugins that other users can modify.")
  var allowsWritable = false

  var appOptions: AppOptions {
    var options = AppOptions()
    options.pluginPath = pluginPath
    options.rescans = rescans
    options.allowsWritable = allowsWritable
    // Progress for a person who waits. A failed build is reported as a problem of the manifest.
    if isatty(STDERR_FILENO) == 1 {
      options.willCompile = { Console.report("compiling '\($0)' …") }
      options.willWait = { Console.report("waiting for another build of '\($0)' …") }
    }
    return options
  }
}

/// The number of bytes that an argument stands for: bytes, or KiB, MiB or GiB with `K`, `M` or `G`.
///
/// - Returns: `nil` if it is malformed or too large.
private func byteCount(_ argument: String) -> Int? {
  var digits = argument[...]
  var shift = 0
  if let last = argument.last?.uppercased(), let index = ["K", "M", "G"].firstIndex(of: last) {
    digits = argument.dropLast()
    shift = 10 * (index + 1)
  }
  guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int(digits) else {
    return nil
  }
  let (bytes, overflow) = count.multipliedReportingOverflow(by: 1 << shift)
  return overflow ? nil : bytes
}

/// The value of `--memory-limit`, in bytes; even an app without plugins needs more than the least.
@Sendable func memoryLimit(_ argument: String) throws -> Int {
  guard let bytes = byteCount(argument), bytes >= 1 << 20 else {
    throw ValidationError("give a size from 1M on, such as 200M or 1G")
  }
  return bytes
}

/// The value of `--history-limit`, in bytes; 0 means no history.
@Sendable func historyLimit(_ argument: String) throws -> Int {
  guard let bytes = byteCount(argument) else {
    throw ValidationError("give a size such as 64M, or 0 to keep no history")
  }
  return bytes
}

extension CompletionKind {
  /// Names of the manifest on the command line, or else of the one in the working directory.
  ///
  /// The shells' scripts, which `--generate-completion-script` prints, ask the program for them.
  static func names(
    _ names: @escaping @Sendable (ManifestNames) -> [String]
  ) -> CompletionKind {
    .custom { words, index, _ in
      let given = words.prefix(max(index, 0)).first { word in
        [".yaml", ".yml"].contains(where: word.hasSuffix)
      }
      guard let path = given ?? (try? Workspace(nil))?.manifest else { return [] }
      return names(ManifestNames(manifest: path))
    }
  }
}
