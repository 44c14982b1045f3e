internal import Glibc
internal import Support

/// Puts a manifest together from its files.
struct ManifestAssembly {
  /// A file whose includes are being read.
  struct OpenFile {
    /// The path with symbolic links and `..` resolved.
    let identity: String
    let path: String
    /// The entry of `include` that names it; `nil` for the first file.
    let include: SourceRange?
  }

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
        .tooLarge, at: Self.start(ofFile: file),
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
      result: former)
    reader.readDocument()
    result = reader.result
    hasManifest = hasManifest || chain.isEmpty
    let chain = chain + [OpenFile(identity: identity, path: path, include: include)]
    let isReported = result.hasLoneInclude
    for include in result.includes {
      follow(include, folder: source.folder, chain: chain, isReported: isReported)
    }
  }

  /// Records a file that can't be read.
  mutating func add(unreadable path: String, cause: String) {
    let file = sources.add(SourceFile(path: path, bytes: []))
    result.report(
      .unreadableManifest, at: Self.start(ofFile: file), "can't read \(quote(path)): \(cause)")
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
      NameResolver.resolve(&result)
      result.checkVariables(options, at: Self.start(ofFile: 0))
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

  private static func start(ofFile file: Int) -> SourceRange {
    let start = SourcePosition(line: 1, column: 1)
    return SourceRange(file: file, start: start, end: start)
  }

  /// The path of a file with symbolic links and `..` resolved; equal for two paths of one file.
  private static func identity(of path: String) -> String {
    if let resolved = FilePath.resolved(path) { return resolved }
    // Text that was not read from a file counts as a file in the working directory.
    guard !path.hasPrefix("/"), let folder = FilePath.resolved(".") else { return path }
    return FilePath.join(folder, path)
  }
}
