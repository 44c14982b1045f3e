internal import Glibc
public import Support

/// Reads a manifest and its includes, and runs all checks that need no features.
///
/// ```swift
/// let result = try ManifestLoader().load(path: "manifests/packages.yaml")
/// print(DiagnosticRenderer(sources: result.sources).render(result.problems))
/// ```
public struct ManifestLoader: Sendable {
  /// The inputs of a manifest that are not in its files, and limits on it.
  public struct Options: Sendable {
    /// The values of `--set name=value`, which override the environment and the defaults.
    public var settings: [String: String] = [:]

    /// Values that variables had before, which override the environment and the defaults; of a
    /// variable that does not exist any more it is ignored.
    public var formerValues: [String: String] = [:]

    /// Returns the value of an environment variable; `nil` if it is not set.
    public var environment: @Sendable (String) -> String?

    /// The limits on the manifest's size.
    public var limits = ManifestLimits()

    /// Whether includes may be outside the folder of the first file.
    public var allowsOutside = false

    /// The texts to read in place of files, by path.
    package var contents: [String: [UInt8]] = [:]

    /// Whether a variable may be without a value, as where the app is not run.
    package var allowsUnsetVariables = false

    /// Creates options; the default environment is that of the process.
    public init(
      settings: [String: String] = [:],
      environment: @escaping @Sendable (String) -> String? = ProcessEnvironment.value,
      limits: ManifestLimits = ManifestLimits(), allowsOutside: Bool = false
    ) {
      self.settings = settings
      self.environment = environment
      self.limits = limits
      self.allowsOutside = allowsOutside
    }
  }

  /// The loader's options.
  public let options: Options

  /// Creates a loader.
  public init(options: Options = Options()) {
    self.options = options
  }

  /// Loads a manifest from a file.
  ///
  /// - Throws: ``UnreadableFile`` if the file can't be read: exit status 66. A missing *include* is
  ///   a problem, at the place that names it.
  public func load(path: String) throws(UnreadableFile) -> ManifestResult {
    load(try options.bytes(of: path, isNamedByPerson: true), path: path)
  }

  /// Loads a manifest from standard input; its includes are relative to the working directory.
  ///
  /// - Throws: ``UnreadableFile`` if it can't be read.
  package func loadStandardInput() throws(UnreadableFile) -> ManifestResult {
    let path = Self.standardInput
    let bytes = try FileContent.read(
      STDIN_FILENO, path, limit: options.limits.bytes, isNamedByPerson: true)
    return load(bytes, path: path)
  }

  /// The name of standard input in messages.
  package static let standardInput = "<stdin>"

  /// The bytes of a manifest's file, not decoded.
  package static func bytes(ofFile path: String) throws(UnreadableFile) -> [UInt8] {
    try FileContent.read(path, limit: ManifestLimits().bytes, isNamedByPerson: false)
  }

  /// Parses a file's YAML without interpreting it.
  ///
  /// - Returns: the number of values; `nil` if the YAML is not valid.
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  public func valueCount(of bytes: [UInt8], path: String) -> Int? {
    let source = SourceFile(path: path, bytes: TextDecoding.utf8(bytes))
    var builder = TreeBuilder(source: source, file: 0, limits: options.limits)
    return builder.build()?.entries.count
  }

  /// The result for a manifest that can't be read: a problem with its path.
  package func unreadable(path: String, cause: String) -> ManifestResult {
    var assembly = Assembly(options: options)
    assembly.add(unreadable: path, cause: cause)
    return assembly.finish()
  }

  /// Loads a manifest from bytes; includes are read from files, relative to the path's folder.
  public func load(_ bytes: [UInt8], path: String) -> ManifestResult {
    var assembly = Assembly(options: options)
    assembly.read(bytes, path: path, chain: [])
    return assembly.finish()
  }
}

extension ManifestLoader.Options {
  /// The text of a file, or what is to be read in place of it.
  func bytes(of path: String, isNamedByPerson: Bool) throws(UnreadableFile) -> [UInt8] {
    if let given = contents[path] { return given }
    return try FileContent.read(path, limit: limits.bytes, isNamedByPerson: isNamedByPerson)
  }
}

/// The result of loading a manifest.
public struct ManifestResult: Sendable {
  /// The manifest; `nil` only if the first file could not be read as YAML at all.
  public let manifest: Manifest?

  /// All problems, sorted by position, each once.
  public let problems: [Diagnostic]

  /// The files that were read, for printing problems.
  public let sources: SourceMap

  /// Whether every file could be read.
  ///
  /// If not, an unread file may define or use names, so unknown and unused names were not reported,
  /// and other checks should not report them either.
  public let isComplete: Bool

  /// The parts in which something was left out because of these problems.
  public let gaps: ManifestGaps

  /// The number of steps that the checks took.
  package let steps: Int
}

/// The environment of this process.
public enum ProcessEnvironment {
  /// The value of a variable; `nil` if it is not set.
  public static func value(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}
