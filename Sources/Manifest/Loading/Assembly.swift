internal import Support

/// Puts a manifest together from its files.
struct Assembly {
  /// A file whose includes are being read.
  struct Link {
    let identity: String
    let path: String
    /// The entry of `include` that names it; `nil` for the first file.
    let include: SourceRange?

    /// The folder of the file, with symbolic links and `..` resolved.
    var folder: String { FileContent.folder(of: identity) }
  }

  let options: ManifestLoader.Options
  private var sources = SourceMap()
  private var draft = Draft()
  private var known: Set<String> = []
  private var hasManifest = false

  init(options: ManifestLoader.Options) {
    self.options = options
  }

  /// Reads one file, then its includes, depth first.
  mutating func read(_ bytes: [UInt8], path: String, chain: [Link], include: SourceRange? = nil) {
    let identity = FileContent.identity(of: path)
    known.insert(identity)
    let isTooLarge = bytes.count > options.limits.bytes
    let source = SourceFile(
      path: path, bytes: isTooLarge ? [] : TextDecoding.utf8(bytes),
      original: isTooLarge ? [] : bytes)
    let file = sources.add(source)
    guard !isTooLarge else {
      let start = SourcePosition(line: 1, column: 1)
      draft.problems.append(
        Diagnostic(
          .tooLarge(limit: options.limits.bytes),
          at: SourceRange(file: file, start: start, end: start)))
      draft.isIncomplete = true
      return
    }
    var builder = TreeBuilder(source: source, file: file, limits: options.limits)
    let tree = builder.build()
    draft.problems += builder.problems
    guard let tree else {
      draft.isIncomplete = true
      return
    }
    var reader = DocumentReader(
      tree: tree, folder: source.folder,
      folders: AppFolders(options.environment, isNeeded: !options.allowsUnsetVariables),
      isFirst: chain.isEmpty, draft: draft)
    // Leaves the reader the only reference, so that its arrays grow in place.
    draft = Draft()
    reader.draft.includes = []
    reader.draft.hasLoneInclude = false
    reader.readDocument()
    draft = reader.draft
    hasManifest = hasManifest || chain.isEmpty
    let link = Link(identity: identity, path: path, include: include)
    let isReported = draft.hasLoneInclude
    for include in draft.includes {
      follow(include, folder: source.folder, chain: chain + [link], isReported: isReported)
    }
  }

  /// Records a file that can't be read.
  mutating func add(unreadable path: String, cause: String) {
    _ = sources.add(SourceFile(path: path, bytes: []))
    draft.problems.append(Diagnostic(.unreadableManifest(path, cause: cause), at: Self.start))
    draft.isIncomplete = true
  }

  private mutating func follow(
    _ include: Located<String>, folder: String, chain: [Link], isReported: Bool
  ) {
    let path = FilePath.join(folder, include.value)
    let identity = FileContent.identity(of: path)
    if let first = chain.firstIndex(where: { $0.identity == identity }) {
      let cycle = chain[first...]
      // The include of the cycle that was read first, so that the message is always the same.
      let place = cycle.dropFirst().first?.include ?? include.range
      draft.problems.append(
        Diagnostic(
          .includeCycle(cycle.map(\.path) + [chain[first].path]), at: place,
          related: cycle.count > 1 ? .init(.closingInclude, at: include.range) : nil))
      return
    }
    guard !known.contains(identity) else { return }
    if !options.allowsOutside, let root = chain.first,
      !FileContent.exists(identity, in: root.folder)
    {
      draft.problems.append(
        Diagnostic(.outsideInclude(path), at: include.range))
      draft.isIncomplete = true
      return
    }
    guard chain.count <= options.limits.includes else {
      draft.problems.append(
        Diagnostic(.includesTooDeep(limit: options.limits.includes), at: include.range))
      draft.isIncomplete = true
      return
    }
    do {
      let bytes = try options.bytes(of: path, isNamedByPerson: false)
      read(bytes, path: path, chain: chain, include: include.range)
    } catch {
      if !isReported {
        draft.problems.append(
          Diagnostic(.missingInclude(path, cause: error.cause), at: include.range))
      }
      draft.isIncomplete = true
    }
  }

  /// Resolves names and checks the whole manifest.
  consuming func finish() -> ManifestResult {
    if hasManifest {
      NameResolver.resolve(&draft)
      VariableCheck(options: options).run(on: &draft, firstFileStart: Self.start)
      PluginCheck.run(on: &draft)
      FormerNameCheck.run(on: &draft)
      ContainerCheck.run(on: &draft)
      RouteCheck.run(on: &draft, limit: options.limits.pairs)
      LinkCheck.run(on: &draft)
    }
    return ManifestResult(
      manifest: hasManifest ? draft.manifest : nil,
      problems: draft.problems.sortedByPosition(),
      sources: sources,
      isComplete: !draft.isIncomplete,
      gaps: draft.gaps,
      steps: draft.counter.steps)
  }

  private static var start: SourceRange {
    let start = SourcePosition(line: 1, column: 1)
    return SourceRange(file: 0, start: start, end: start)
  }
}
