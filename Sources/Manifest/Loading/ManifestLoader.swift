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
      environment: (@Sendable (String) -> String?)? = nil,
      limits: ManifestLimits = ManifestLimits(), allowsOutside: Bool = false
    ) {
      self.settings = settings
      self.environment = environment ?? { name in getenv(name).map { String(cString: $0) } }
      self.limits = limits
      self.allowsOutside = allowsOutside
    }

    /// The folders that the manifest can refer to.
    var folders: AppFolders { AppFolders(environment, isNeeded: !allowsUnsetVariables) }

    /// The text of a file, or what is to be read in place of it.
    func bytes(of path: String, isNamedByPerson: Bool = false) throws(UnreadableFile) -> [UInt8] {
      if let given = contents[path] { return given }
      return try ManifestLoader.bytes(
        ofFile: path, limit: limits.bytes, isNamedByPerson: isNamedByPerson)
    }
  }

  public let options: Options

  public init(options: Options = Options()) { self.options = options }

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
    do throws(SystemError) {
      return load(try WholeFile.read(STDIN_FILENO, limit: options.limits.bytes), path: path)
    } catch {
      throw UnreadableFile(path: path, cause: "\(error)")
    }
  }

  /// The name of standard input in messages.
  package static let standardInput = "<stdin>"

  /// The bytes of a manifest's file, not decoded; some more than the limit if it is larger.
  ///
  /// A file named on the command line may be a pipe, such as `/dev/stdin`. In a manifest, anything
  /// but a regular file is a mistake: reading it might block or never end.
  package static func bytes(
    ofFile path: String, limit: Int = ManifestLimits().bytes, isNamedByPerson: Bool = false
  ) throws(UnreadableFile) -> [UInt8] {
    if !isNamedByPerson, FilePath.isSpecial(path) {
      throw UnreadableFile(path: path, cause: "it is not a regular file")
    }
    do throws(SystemError) {
      return try WholeFile.read(path, limit: limit, waits: isNamedByPerson)
    } catch {
      throw UnreadableFile(path: path, cause: "\(error)")
    }
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
    var assembly = ManifestAssembly(options: options)
    assembly.add(unreadable: path, cause: cause)
    return assembly.finish()
  }

  /// Loads a manifest from bytes; includes are read from files, relative to the path's folder.
  public func load(_ bytes: [UInt8], path: String) -> ManifestResult {
    var assembly = ManifestAssembly(options: options)
    assembly.read(bytes, path: path, chain: [])
    return assembly.finish()
  }
}

/// Puts a manifest together from its files.
private struct ManifestAssembly {
  /// A file whose includes are being read: its path with symbolic links and `..` resolved, its path,
  /// and the entry of `include` that names it; `nil` for the first file.
  typealias OpenFile = (identity: String, path: String, include: SourceRange?)

  private let options: ManifestLoader.Options
  private var sources = SourceMap()
  private var result = ParseResult()
  private var known: Set<String> = []
  private var hasManifest = false

  init(options: ManifestLoader.Options) { self.options = options }

  /// Reads one file, then its includes, depth first.
  mutating func read(
    _ bytes: [UInt8], path: String, chain: [OpenFile], include: SourceRange? = nil
  ) {
    let identity = Self.identity(of: path)
    known.insert(identity)
    let limit = options.limits.bytes
    guard bytes.count <= limit else {
      let file = sources.add(SourceFile(path: path, bytes: []))
      result.report(
        .tooLarge, at: .start(ofFile: file),
        "the file is larger than the limit of \(limit) bytes")
      result.isIncomplete = true
      return
    }
    let source = SourceFile(path: path, bytes: TextDecoding.utf8(bytes), original: bytes)
    let file = sources.add(source)
    var builder = TreeBuilder(source: source, file: file, limits: options.limits)
    let tree = builder.build()
    result.problems += builder.problems
    guard let tree else {
      result.isIncomplete = true
      return
    }
    // Moved, so that the reader has the only reference and its arrays grow in place.
    let former = result
    result = ParseResult()
    var reader = DocumentReader(
      tree: tree, folder: source.folder, folders: options.folders, isFirst: chain.isEmpty,
      result: consume former)
    reader.readDocument()
    let (includes, isReported) = (reader.includes, reader.hasLoneInclude)
    result = reader.result
    hasManifest = hasManifest || chain.isEmpty
    let chain = chain + [(identity, path, include)]
    for include in includes {
      follow(include, folder: source.folder, chain: chain, isReported: isReported)
    }
  }

  /// Records a file that can't be read.
  mutating func add(unreadable path: String, cause: String) {
    let file = sources.add(SourceFile(path: path, bytes: []))
    result.report(
      .unreadableManifest, at: .start(ofFile: file), "can't read \(quote(path)): \(cause)")
    result.isIncomplete = true
  }

  private mutating func follow(
    _ include: Located<String>, folder: String, chain: [OpenFile], isReported: Bool
  ) {
    let path = FilePath.join(folder, include.value)
    let identity = Self.identity(of: path)
    if let first = chain.firstIndex(where: { $0.identity == identity }) {
      let cycle = chain[first...]
      let paths = cycle.map(\.path) + [chain[first].path]
      result.report(
        .includeCycle,
        // The include of the cycle that was read first, so that the message is always the same.
        at: cycle.dropFirst().first?.include ?? include.range,
        "these includes make a circle: " + paths.map(Wording.printable).joined(separator: " -> "),
        related: cycle.count > 1 ? .init(.closingInclude, at: include.range) : nil)
      return
    }
    guard !known.contains(identity) else { return }
    let root = FilePath.folder(of: chain[0].identity)
    // A file that does not exist is reported as that.
    if !options.allowsOutside, access(identity, F_OK) == 0,
      FilePath.inside(root, identity) == nil
    {
      result.report(
        .outsideInclude, at: include.range,
        "the include \(quote(path)) is outside the folder of the first manifest; "
          + "'--allow-outside' allows it")
      result.isIncomplete = true
      return
    }
    guard chain.count <= options.limits.includes else {
      result.report(
        .includesTooDeep, at: include.range,
        "includes are nested deeper than the limit of \(options.limits.includes)")
      result.isIncomplete = true
      return
    }
    do {
      read(try options.bytes(of: path), path: path, chain: chain, include: include.range)
    } catch {
      if !isReported {
        result.report(
          .missingInclude, at: include.range,
          "can't read the include \(quote(path)): \(error.cause)")
      }
      result.isIncomplete = true
    }
  }

  /// Resolves names and checks the whole manifest.
  consuming func finish() -> ManifestResult {
    if hasManifest {
      result.badReferences.sort { $0.range < $1.range }
      result.resolveNames()
      result.checkVariables(options)
      result.checkPlugins()
      result.checkFormerNames()
      result.checkContainers()
      result.checkRoutes(limit: options.limits.pairs)
      result.checkLinks()
    }
    return ManifestResult(
      manifest: hasManifest ? result.manifest : nil,
      problems: result.problems.sortedByPosition(), sources: sources,
      isComplete: !result.isIncomplete, gaps: result.gaps)
  }

  /// The path of a file with symbolic links and `..` resolved; equal for two paths of one file.
  private static func identity(of path: String) -> String {
    if let resolved = FilePath.resolved(path) { return resolved }
    // Text that was not read from a file counts as a file in the working directory.
    guard !path.hasPrefix("/"), let folder = FilePath.resolved(".") else { return path }
    return FilePath.join(folder, path)
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
}

/// A file that can't be read: not a problem *in* a manifest, so it has no position.
public struct UnreadableFile: Error, Hashable, Sendable, CustomStringConvertible {
  /// The path as it was given.
  public let path: String
  /// Why, in the system's words, such as `No such file or directory`.
  public let cause: String

  public var description: String { "can't read \(quote(path)): \(cause)" }
}

/// The limits on a manifest's size; exceeding one is a problem that names it.
///
/// Without them a small file could cost minutes: libyaml takes time quadratic in the nesting, and
/// aliases and variables can expand to any number of values.
public struct ManifestLimits: Hashable, Sendable {
  /// The largest file, in bytes.
  public var bytes = 32 << 20
  /// The deepest nesting of lists and maps.
  public var nesting = 128
  /// The largest number of aliases in one file.
  public var aliases = 10_000
  /// The largest number of values that the aliases of one file expand to, and all uses of variables.
  public var expansion = 100_000
  /// The largest number of pairs of node and action that the routes expand to, with the values under
  /// their `with`: `from` and `action` may both be lists.
  public var pairs = 1_000_000
  /// The deepest nesting of includes.
  public var includes = 16

  /// Creates the default limits, which suit every manifest that a person writes.
  public init() {}
}

/// Converts a file's bytes to UTF-8 without a byte order mark.
enum TextDecoding {
  /// The text in UTF-8.
  ///
  /// UTF-16 and UTF-32 are recognised by their marks or by their zero bytes, as YAML requires. An
  /// unpaired surrogate becomes a byte that is not valid UTF-8, so that it is reported with its
  /// position.
  static func utf8(_ bytes: [UInt8]) -> [UInt8] {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(bytes.dropFirst(3)) }
    for isBig in [true, false] where bytes.count % 4 == 0 {
      let first = isBig ? Array(bytes.prefix(4)) : bytes.prefix(4).reversed()
      if first == [0, 0, 0xFE, 0xFF] { return utf8(bytes.dropFirst(4), isBig, UTF32.self) }
      if first.starts(with: [0, 0, 0]) { return utf8(bytes[...], isBig, UTF32.self) }
    }
    for isBig in [true, false] where bytes.count >= 2 {
      let first = isBig ? Array(bytes.prefix(2)) : bytes.prefix(2).reversed()
      if first == [0xFE, 0xFF] { return utf8(bytes.dropFirst(2), isBig, UTF16.self) }
      if first[0] == 0, first[1] != 0 { return utf8(bytes[...], isBig, UTF16.self) }
    }
    return bytes
  }

  private static func utf8<Codec: UnicodeCodec>(
    _ bytes: ArraySlice<UInt8>, _ isBig: Bool, _: Codec.Type
  ) -> [UInt8] where Codec.CodeUnit: FixedWidthInteger {
    let size = Codec.CodeUnit.bitWidth / 8
    var units = (0..<bytes.count / size).lazy.map { index in
      (0..<size).reduce(Codec.CodeUnit(0)) { unit, byte in
        let offset = index * size + (isBig ? byte : size - 1 - byte)
        return unit << 8 | Codec.CodeUnit(bytes[bytes.startIndex + offset])
      }
    }.makeIterator()
    var decoder = Codec()
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    while true {
      switch decoder.decode(&units) {
      case .scalarValue(let scalar): result.append(contentsOf: UTF8.encode(scalar) ?? .init())
      case .error: result.append(0xFF)
      case .emptyInput: return bytes.count % size == 0 ? result : result + [0xFF]
      }
    }
  }
}
