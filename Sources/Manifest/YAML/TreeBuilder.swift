internal import CYAML
internal import Glibc
internal import Support

/// Builds a ``Tree`` from libyaml's events, within limits.
///
/// A syntax error ends the build; a value with a problem is reported and skipped.
struct TreeBuilder: DiagnosticCollector {
  private struct OpenCollection {
    let index: Int
    let anchor: String?
    /// Its start, in bytes.
    let offset: Int
    var children = 0
    /// The levels of collections inside it.
    var height = 0
    /// The number of values that the aliases before it expand to.
    let expansion: Int
  }

  /// The index of a value, the levels of collections in it, and the number of values that an alias of
  /// it expands to.
  private typealias Anchor = (index: Int, height: Int, size: Int)

  private typealias Input = UnsafeBufferPointer<UInt8>

  let source: SourceFile
  let file: Int
  let limits: ManifestLimits

  var problems: [Diagnostic] = []
  private var isBroken = false
  /// The last map in flow style that looks like `{$.a}`.
  private var template: Located<String>?
  var entries: [Tree.Entry] = []
  private(set) var bytes: [UInt8]
  private var collections: [OpenCollection] = []
  private var anchors: [String: Anchor] = [:]
  private var openAnchors: Set<String> = []
  private var aliasCount = 0
  /// The number of values that all aliases expand to, nested aliases included.
  private var expansion = 0
  private var cuts: [Int: CutText] = [:]
  private let isASCII: Bool
  private var suggestions = Suggestions()
  /// What libyaml reads in place of the source.
  private let parsed: ParserInput
  /// The index of the next control character that is in no text so far.
  private var control = 0
  private var comments: CommentFinder

  init(source: SourceFile, file: Int, limits: ManifestLimits) {
    self.source = source
    self.file = file
    self.limits = limits
    bytes = source.bytes
    parsed = ParserInput(source.bytes)
    comments = CommentFinder(source.bytes)
    isASCII = UTF8Text.isASCII(source.bytes)
    entries.reserveCapacity(source.bytes.count / 8 + 16)
  }

  /// Reads the whole document; `nil` if it can't be read or is empty.
  mutating func build() -> Tree? {
    let start = SourceRange.start(ofFile: file)
    if let line = tagDirective {
      let place = SourcePosition(line: line, column: 1)
      fail(
        .customTag, at: range(place), "'%TAG' is not supported; remove it, and the tags that use it"
      )
      return nil
    }
    parsed.bytes.withUnsafeBufferPointer { input in
      guard var events = YAMLEvents(input) else {
        return fail(.syntax, at: start, "there is not enough memory to read this")
      }
      readEvents(&events, input)
      reportControls(before: input.count)
    }
    guard !isBroken else { return nil }
    guard !entries.isEmpty else {
      fail(.emptyManifest, at: start, "the manifest is empty; it begins with 'appcore: 1'")
      return nil
    }
    return Tree(source: source, file: file, entries: entries, bytes: bytes, cuts: cuts)
  }

  /// The byte offset of a mark of libyaml, which counts Unicode scalars.
  private func offset(of mark: yaml_mark_t) -> Int {
    isASCII ? mark.index : source.byte(at: SourcePosition(mark))
  }

  func range(_ start: SourcePosition, _ end: SourcePosition? = nil) -> SourceRange {
    SourceRange(file: file, start: start, end: end ?? start)
  }

  func range(_ index: Int) -> SourceRange {
    range(entries[index].start, entries[index].end)
  }

  mutating func fail(
    _ rule: Rule, at range: SourceRange, _ message: String, related: Diagnostic.Related? = nil
  ) {
    report(rule, at: range, message, related: related)
    isBroken = true
  }

  private mutating func readEvents(_ events: inout YAMLEvents, _ input: Input) {
    while !isBroken {
      guard let event = events.next() else { return explain(events.failure) }
      switch event.pointee.type {
      case YAML_SCALAR_EVENT: addScalar(event.pointee, input)
      case YAML_MAPPING_START_EVENT, YAML_SEQUENCE_START_EVENT: openCollection(event.pointee)
      case YAML_MAPPING_END_EVENT, YAML_SEQUENCE_END_EVENT: closeCollection(event.pointee)
      case YAML_ALIAS_EVENT: addAlias(event.pointee)
      case YAML_DOCUMENT_END_EVENT:
        // Don't ask for the next event: directives after the document cost libyaml quadratic time.
        let end = offset(of: event.pointee.start_mark)
        return refuseContent(after: end)
      case YAML_STREAM_END_EVENT: return
      default: break
      }
    }
  }

  /// Reports what libyaml can't parse.
  private mutating func explain(_ failure: YAMLFailure) {
    let opening = collections.last { ["{", "["].contains(source.character(at: $0.offset)) }
    let problem =
      controlProblem(before: failure)
      ?? SyntaxProblem(
        failure: failure, source: source, file: file, template: template,
        opening: opening.map { entries[$0.index].start },
        comment: cuts.max { $0.key < $1.key }?.value
      ).problem
    control = parsed.controls.count
    // A problem of a value may be part of the syntax error, which is then reported once.
    problems.removeAll { $0.range == problem.range && $0.rule == problem.rule }
    problems.append(problem)
    isBroken = true
  }

  private mutating func addScalar(_ event: yaml_event_t, _ input: Input) {
    let scalar = event.data.scalar
    var entry = Tree.Entry(event, kind: .scalar)
    entry.next = entries.count + 1
    entry.length = scalar.length
    entry.isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE
    if scalar.tag != nil { refuseTag(scalar.tag, of: &entry) }
    let text = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
    let first = offset(of: event.start_mark)
    let end = offset(of: event.end_mark)
    let start = first + (entry.isPlain ? 0 : 1)
    let isOnOneLine = entry.start.line == entry.end.line
    if isOnOneLine, start + text.count <= input.count, Self.equal(input, start, text) {
      entry.offset = start
      entry.isVerbatim = true
    } else {
      let own = parsed.restored(text)
      entry.offset = bytes.count
      entry.length = own.count
      bytes.append(contentsOf: own)
    }
    if reportControls(in: start..<end) { entry.kind = .invalid }
    if entry.isPlain, text.first ?? 0 > 0x7F,
      collections.last.map({ $0.children % 2 == 0 }) ?? false,
      String(decoding: text.prefix(4), as: UTF8.self).unicodeScalars.first?.isOtherSpace ?? false,
      let problem = SyntaxProblem.otherIndentation(upTo: entry.start.line, in: source, file: file),
      problem.range.start == entry.start
    {
      problems.append(problem)
      isBroken = true
      return
    }
    let isBlock = [YAML_LITERAL_SCALAR_STYLE, YAML_FOLDED_SCALAR_STYLE].contains(scalar.style)
    if isOnOneLine, !isBlock, end < input.count, CutText.mayFollow(input[end]),
      let cut = CutText(first..<end, isQuoted: !entry.isPlain, in: source, file: file)
    {
      cuts[entries.count] = cut
    }
    let index = add(entry)
    if let name = scalar.anchor {
      anchors[Self.text(name)] = (index, 0, 1)
    }
  }

  private mutating func addAlias(_ event: yaml_event_t) {
    let name = Self.text(event.data.alias.anchor)
    var entry = Tree.Entry(event, kind: .alias)
    entry.next = entries.count + 1
    guard !openAnchors.contains(name), let anchor = anchors[name] else {
      entry.kind = .invalid
      reportAlias(name, at: range(entry.start, entry.end))
      _ = add(entry)
      return
    }
    entry.offset = anchor.index
    aliasCount += 1
    if aliasCount > limits.aliases {
      return fail(
        .tooManyAliases, at: range(entry.start, entry.end),
        "there are more aliases than the limit of \(limits.aliases)")
    }
    let (total, isTooMuch) = expansion.addingReportingOverflow(anchor.size)
    if isTooMuch || total > limits.expansion {
      return fail(
        .tooMuchExpansion, at: range(entry.start, entry.end),
        "the aliases expand to more than the limit of \(limits.expansion) values")
    }
    if collections.count + anchor.height > limits.nesting {
      return failNested(entry, related: .init(.anchor, at: range(anchor.index)))
    }
    expansion = total
    raiseHeight(to: anchor.height + 1)
    _ = add(entry)
  }

  private mutating func reportAlias(_ name: String, at range: SourceRange) {
    let text = Wording.printable(name)
    if openAnchors.contains(name) {
      report(.recursiveAlias, at: range, "the alias '*\(text)' is inside its own anchor")
      return
    }
    let nearest = suggestions.nearest(to: name, among: anchors.keys)
    let hint =
      nearest.map { "did you mean '*\(Wording.printable($0.name))'?" }
      ?? "put the text in quotes if the '*' belongs to it"
    report(
      .undefinedAlias, at: range, "no anchor '&\(text)' before this alias; \(hint)",
      correction: nearest.map {
        .init("*\(name)", "*\($0.name)", isCertain: $0.isCertain, isSource: true)
      })
  }

  private mutating func failNested(_ entry: Tree.Entry, related: Diagnostic.Related? = nil) {
    fail(
      .tooNested, at: range(entry.start, entry.end),
      "this is nested deeper than the limit of \(limits.nesting) levels", related: related)
  }

  private mutating func openCollection(_ event: yaml_event_t) {
    let isMapping = event.type == YAML_MAPPING_START_EVENT
    let (mapping, sequence) = (event.data.mapping_start, event.data.sequence_start)
    var entry = Tree.Entry(event, kind: isMapping ? .mapping : .sequence)
    let tag = isMapping ? mapping.tag : sequence.tag
    if tag != nil { refuseTag(tag, of: &entry) }
    if collections.count >= limits.nesting { return failNested(entry) }
    let anchor = (isMapping ? mapping.anchor : sequence.anchor).map { Self.text($0) }
    if let anchor { openAnchors.insert(anchor) }
    let index = add(entry)
    collections.append(
      OpenCollection(
        index: index, anchor: anchor, offset: offset(of: event.start_mark), expansion: expansion))
  }

  private mutating func closeCollection(_ event: yaml_event_t) {
    guard let closed = collections.popLast() else { return }
    let index = closed.index
    let isMapping = entries[index].kind == .mapping
    entries[index].next = entries.count
    entries[index].length = isMapping ? closed.children / 2 : closed.children
    // libyaml ends a block where the next value begins; the end of its last element is better.
    let isFlow = event.start_mark.index < event.end_mark.index
    entries[index].end =
      isFlow || entries.count == index + 1
      ? SourcePosition(event.end_mark) : entries[entries.count - 1].end
    if let name = closed.anchor {
      openAnchors.remove(name)
      let size = entries.count - index + expansion - closed.expansion
      anchors[name] = (index, closed.height + 1, size)
    }
    raiseHeight(to: closed.height + 1)
    guard isMapping, closed.children > 0 else { return }
    if isFlow, isTemplate(closed) {
      let last = offset(of: event.end_mark)
      let text = String(decoding: bytes[closed.offset..<max(closed.offset, last)], as: UTF8.self)
      let range = range(entries[index].start, SourcePosition(event.end_mark))
      problems.append(SyntaxProblem.unquotedTemplate(text, in: text, at: range))
      entries[index].kind = .invalid
      template = Located(text, at: range)
      return
    }
    let isEntry = !isFlow && collections.last.map { entries[$0.index].kind == .sequence } ?? false
    checkKeys(of: index, isEntry: isEntry)
  }

  /// Whether a mapping in flow style comes from a template such as `{$.a}` or, as in other template
  /// languages, `{{ … }}`.
  private func isTemplate(_ closed: OpenCollection) -> Bool {
    let key = entries[closed.index + 1]
    if key.kind == .scalar {
      return key.isPlain && key.length > 0 && bytes[key.offset] == UInt8(ascii: "$")
    }
    return closed.children == 2 && key.kind == .mapping
      && bytes[closed.offset...].starts(with: "{{".utf8)
  }

  private mutating func add(_ entry: Tree.Entry) -> Int {
    if let last = collections.indices.last { collections[last].children += 1 }
    entries.append(entry)
    return entries.count - 1
  }

  private mutating func raiseHeight(to height: Int) {
    guard let last = collections.indices.last else { return }
    collections[last].height = max(collections[last].height, height)
  }

  /// Reports a tag, even one of the core schema: the expected type decides how a value is read.
  private mutating func refuseTag(
    _ pointer: UnsafeMutablePointer<yaml_char_t>?, of entry: inout Tree.Entry
  ) {
    // As people write it: libyaml expands `!!int`.
    let tag = Self.text(pointer)
    let prefix = "tag:yaml.org,2002:"
    let written = tag.hasPrefix(prefix) ? "!!" + tag.dropFirst(prefix.count) : tag
    problems.append(SyntaxProblem.customTag(written, at: range(entry.start, entry.end)))
    if entry.kind == .scalar { entry.kind = .invalid }
  }

  private static func equal(_ input: Input, _ start: Int, _ text: Input) -> Bool {
    guard !text.isEmpty, let left = input.baseAddress, let right = text.baseAddress else {
      return true
    }
    return memcmp(left + start, right, text.count) == 0
  }

  private static func text(_ pointer: UnsafePointer<yaml_char_t>?) -> String {
    pointer.map { String(cString: $0) } ?? ""
  }
}

// Control characters.
extension TreeBuilder {
  private func problem(ofControl control: (offset: Int, value: UInt32)) -> Diagnostic {
    Diagnostic(
      .controlCharacter, at: range(source.position(ofByte: control.offset)),
      "the control character U+\(Wording.hex(control.value)) is not allowed in a manifest; "
        + "write it as an escape in double quotes")
  }

  /// Reports the control characters up to a byte that are in no text, unless they are in a comment.
  private mutating func reportControls(before end: Int) {
    while control < parsed.controls.count, parsed.controls[control].offset < end {
      let found = parsed.controls[control]
      control += 1
      if comments.isInComment(found.offset) { continue }
      problems.append(problem(ofControl: found))
    }
  }

  /// Reports the control characters of a text; whether there are any.
  private mutating func reportControls(in text: Range<Int>) -> Bool {
    reportControls(before: text.lowerBound)
    let first = control
    while control < parsed.controls.count, parsed.controls[control].offset < text.upperBound {
      problems.append(problem(ofControl: parsed.controls[control]))
      control += 1
    }
    return control > first
  }

  /// The problem of the control character that a syntax error comes from; `nil` if there is none
  /// before it.
  private func controlProblem(before failure: YAMLFailure) -> Diagnostic? {
    let end = failure.isReading ? failure.offset : source.byte(at: failure.mark)
    var comments = CommentFinder(source.bytes)
    return parsed.controls.first { $0.offset <= end && !comments.isInComment($0.offset) }
      .map(problem(ofControl:))
  }
}
