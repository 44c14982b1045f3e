internal import CYAML
internal import Glibc
internal import Support

/// Builds a ``Tree`` from libyaml's events, within limits.
///
/// A syntax error ends the build; a value with a problem is reported and skipped.
struct TreeBuilder {
  /// An open collection.
  private struct Frame {
    let index: Int
    let anchor: String?
    /// Its start, in bytes.
    let offset: Int
    var children = 0
    /// The levels of collections inside it.
    var height = 0
  }

  private struct Anchor {
    let index: Int
    let height: Int
  }

  let source: SourceFile
  let file: Int
  let limits: ManifestLimits

  private(set) var problems: [Diagnostic] = []
  private(set) var isBroken = false
  private var hints = SyntaxHints()
  private var entries: [Tree.Entry] = []
  private var bytes: [UInt8]
  private var frames: [Frame] = []
  private var anchors: [String: Anchor] = [:]
  private var openAnchors: Set<String> = []
  private var aliases = AliasSizes()
  private var cuts: [Int: CutText] = [:]
  private var marks: MarkOffsets
  private var suggestions = Suggestions()
  /// What libyaml reads in place of the source.
  private let parsed: ParserInput
  /// The index of the next control character that is in no text so far.
  private var control = 0

  init(source: SourceFile, file: Int, limits: ManifestLimits) {
    self.source = source
    self.file = file
    self.limits = limits
    bytes = source.bytes
    parsed = ParserInput(source.bytes)
    marks = MarkOffsets(isASCII: UTF8Text.isASCII(source.bytes))
    entries.reserveCapacity(source.bytes.count / 8 + 16)
  }

  /// Reads the whole document; `nil` if it can't be read or is empty.
  mutating func build() -> Tree? {
    if let tag = Preamble.tagDirective(in: source) {
      fail(.tagDirective, at: range(tag, tag))
      return nil
    }
    parsed.bytes.withUnsafeBufferPointer { input in
      guard var events = YAMLEvents(input) else {
        return fail(.syntax("there is not enough memory to read this"), at: origin)
      }
      readEvents(&events, input: input)
      refuseControls(before: input.count)
    }
    guard !isBroken else { return nil }
    guard !entries.isEmpty else {
      problems.append(Diagnostic(.emptyManifest, at: origin))
      return nil
    }
    return Tree(file: file, entries: entries, bytes: bytes, cuts: cuts)
  }

  private var origin: SourceRange {
    let start = SourcePosition(line: 1, column: 1)
    return range(start, start)
  }

  private func range(_ start: SourcePosition, _ end: SourcePosition) -> SourceRange {
    SourceRange(file: file, start: start, end: end)
  }

  private mutating func fail(
    _ finding: Finding, at range: SourceRange, related: Diagnostic.Related? = nil
  ) {
    problems.append(Diagnostic(finding, at: range, related: related))
    isBroken = true
  }

  private mutating func readEvents(
    _ events: inout YAMLEvents, input: UnsafeBufferPointer<UInt8>
  ) {
    while !isBroken {
      guard let event = events.next() else {
        hints.opening =
          frames.last { frame in
            source.bytes[frame.offset...].first.map(SyntaxHints.isOpening) ?? false
          }.map { entries[$0.index].start }
        let problem =
          controlBefore(events.failure)
          ?? SyntaxProblem(failure: events.failure, source: source, file: file).problem(
            hints: hints)
        control = parsed.controls.count
        // A problem of a value may be part of the syntax error, which is then reported once.
        problems.removeAll { $0.range == problem.range && $0.rule == problem.rule }
        problems.append(problem)
        isBroken = true
        return
      }
      switch event.pointee.type {
      case YAML_SCALAR_EVENT: addScalar(event, input: input)
      case YAML_MAPPING_START_EVENT, YAML_SEQUENCE_START_EVENT: open(event, input: input)
      case YAML_MAPPING_END_EVENT, YAML_SEQUENCE_END_EVENT: close(event, input: input)
      case YAML_ALIAS_EVENT: addAlias(event)
      case YAML_DOCUMENT_END_EVENT:
        // Don't ask for the next event: directives after the document cost libyaml quadratic time.
        let end = marks.offset(of: event.pointee.start_mark.index, in: input)
        if let next = Preamble.content(after: end, in: source) { refuse(next) }
        return
      case YAML_STREAM_END_EVENT: return
      default: break
      }
    }
  }

  /// Reports the control characters up to a byte that are in no text, unless they are in a comment.
  private mutating func refuseControls(before end: Int) {
    while control < parsed.controls.count, parsed.controls[control].offset < end {
      let (offset, value) = (parsed.controls[control].offset, parsed.controls[control].value)
      control += 1
      if ParserInput.isInComment(offset, in: source.bytes) { continue }
      let place = source.position(ofByte: offset)
      problems.append(Diagnostic(.controlCharacter(value), at: range(place, place)))
    }
  }

  /// The control character that a syntax error comes from; `nil` if there is none before it.
  private func controlBefore(_ failure: YAMLFailure) -> Diagnostic? {
    let end = failure.isReading ? failure.offset : source.byte(at: failure.mark)
    let cause = parsed.controls.first {
      $0.offset <= end && !ParserInput.isInComment($0.offset, in: source.bytes)
    }
    return cause.map {
      let place = source.position(ofByte: $0.offset)
      return Diagnostic(.controlCharacter($0.value), at: range(place, place))
    }
  }

  /// Whether a text has control characters, which are reported.
  private mutating func hasControls(_ text: Range<Int>) -> Bool {
    guard control < parsed.controls.count else { return false }
    refuseControls(before: text.lowerBound)
    let first = control
    while control < parsed.controls.count, parsed.controls[control].offset < text.upperBound {
      let place = source.position(ofByte: parsed.controls[control].offset)
      problems.append(
        Diagnostic(.controlCharacter(parsed.controls[control].value), at: range(place, place)))
      control += 1
    }
    return control > first
  }

  /// Reports content after the document: another document, or text that was meant for this one.
  private mutating func refuse(_ next: SourcePosition) {
    let byte = source.byte(at: next)
    let place = range(next, next)
    if source.bytes[byte...].starts(with: "---".utf8) || source.character(at: byte) == "%" {
      return fail(.severalDocuments, at: place)
    }
    if let character = source.closing(at: byte) { return fail(.strayClosing(character), at: place) }
    if let root = entries.first, root.kind != .mapping {
      return fail(.notKeys, at: range(root.start, root.end))
    }
    fail(.syntax("this comes after the end of the manifest"), at: place)
  }

  private mutating func addScalar(
    _ event: UnsafePointer<yaml_event_t>, input: UnsafeBufferPointer<UInt8>
  ) {
    let scalar = event.pointee.data.scalar
    let mark = event.pointee.start_mark
    var entry = Tree.Entry(
      start: SourcePosition(mark), end: SourcePosition(event.pointee.end_mark),
      length: scalar.length,
      next: entries.count + 1, kind: .scalar)
    entry.isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE
    if scalar.tag != nil { refuseTag(scalar.tag, of: &entry) }
    let text = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
    let start = marks.offset(of: mark.index, in: input) + (entry.isPlain ? 0 : 1)
    if mark.line == event.pointee.end_mark.line, start + text.count <= input.count,
      Self.equal(input, start, text)
    {
      entry.offset = start
      entry.isVerbatim = true
    } else {
      entry.offset = bytes.count
      let own = parsed.restored(text)
      bytes.append(contentsOf: own)
      entry.length = own.count
    }
    let end = marks.offset(of: event.pointee.end_mark.index, in: input)
    if hasControls(start..<end) { entry.kind = .invalid }
    if entry.isPlain, text.first ?? 0 > 0x7F, frames.last.map({ $0.children % 2 == 0 }) ?? false,
      String(decoding: text.prefix(4), as: UTF8.self).unicodeScalars.first?.isOtherSpace ?? false,
      let problem = BrokenLine.otherIndentation(
        upTo: entry.start.line, in: source, file: file), problem.range.start == entry.start
    {
      problems.append(problem)
      isBroken = true
      return
    }
    checkCut(entry, event, input: input)
    let index = add(entry)
    if let name = scalar.anchor { anchors[Self.text(name)] = Anchor(index: index, height: 0) }
  }

  /// Records the comment that cuts off the text of a scalar, if there is one.
  private mutating func checkCut(
    _ entry: Tree.Entry, _ event: UnsafePointer<yaml_event_t>, input: UnsafeBufferPointer<UInt8>
  ) {
    let style = event.pointee.data.scalar.style
    guard style != YAML_LITERAL_SCALAR_STYLE, style != YAML_FOLDED_SCALAR_STYLE,
      entry.start.line == entry.end.line
    else { return }
    let start = marks.offset(of: event.pointee.start_mark.index, in: input)
    let end = marks.offset(of: event.pointee.end_mark.index, in: input)
    let range = range(entry.start, entry.end)
    if let cut = CutText(start..<end, at: range, isQuoted: !entry.isPlain, in: input) {
      hints.comment = cut
      cuts[entries.count] = cut
    }
  }

  private mutating func addAlias(_ event: UnsafePointer<yaml_event_t>) {
    let name = Self.text(event.pointee.data.alias.anchor)
    var entry = Tree.Entry(
      start: SourcePosition(event.pointee.start_mark),
      end: SourcePosition(event.pointee.end_mark),
      next: entries.count + 1, kind: .alias)
    let place = range(entry.start, entry.end)
    guard !openAnchors.contains(name), let anchor = anchors[name] else {
      entry.kind = .invalid
      let nearest = suggestions.nearest(to: name, among: anchors.keys)
      problems.append(
        Diagnostic(
          openAnchors.contains(name)
            ? .recursiveAlias(name) : .undefinedAlias(name, nearest: nearest), at: place))
      _ = add(entry)
      return
    }
    entry.offset = anchor.index
    let end = entries[anchor.index].next
    aliases.add(at: entries.count, target: anchor.index..<end)
    if aliases.count > limits.aliases {
      return fail(.tooManyAliases(limit: limits.aliases), at: place)
    }
    if aliases.total > limits.expansion {
      return fail(.tooMuchExpansion(limit: limits.expansion), at: place)
    }
    if frames.count + anchor.height > limits.nesting {
      return fail(
        .tooNested(limit: limits.nesting), at: place,
        related: .init(.anchor, at: range(entries[anchor.index].start, entries[anchor.index].end)))
    }
    raiseHeight(to: anchor.height + 1)
    // An alias of an alias refers to the target of that alias.
    if entries[anchor.index].kind == .alias { entry.offset = entries[anchor.index].offset }
    _ = add(entry)
  }

  private mutating func open(
    _ event: UnsafePointer<yaml_event_t>, input: UnsafeBufferPointer<UInt8>
  ) {
    let isMapping = event.pointee.type == YAML_MAPPING_START_EVENT
    let data = event.pointee.data
    var entry = Tree.Entry(
      start: SourcePosition(event.pointee.start_mark),
      end: SourcePosition(event.pointee.end_mark), next: 0, kind: isMapping ? .mapping : .sequence)
    let tag = isMapping ? data.mapping_start.tag : data.sequence_start.tag
    if tag != nil { refuseTag(tag, of: &entry) }
    let anchor = isMapping ? data.mapping_start.anchor : data.sequence_start.anchor
    if frames.count >= limits.nesting {
      return fail(.tooNested(limit: limits.nesting), at: range(entry.start, entry.end))
    }
    let name = anchor.map { Self.text($0) }
    if let name { openAnchors.insert(name) }
    let index = add(entry)
    let offset = marks.offset(of: event.pointee.start_mark.index, in: input)
    frames.append(Frame(index: index, anchor: name, offset: offset))
  }

  private mutating func close(
    _ event: UnsafePointer<yaml_event_t>, input: UnsafeBufferPointer<UInt8>
  ) {
    guard let frame = frames.popLast() else { return }
    let index = frame.index
    let isMapping = entries[index].kind == .mapping
    entries[index].next = entries.count
    entries[index].length = isMapping ? frame.children / 2 : frame.children
    let start = entries[index].start
    let end = SourcePosition(event.pointee.end_mark)
    // libyaml ends a block where the next value begins; the end of its last element is better.
    let isFlow = event.pointee.start_mark.index < event.pointee.end_mark.index
    entries[index].end = isFlow || entries.count == index + 1 ? end : entries[entries.count - 1].end
    if let name = frame.anchor {
      openAnchors.remove(name)
      anchors[name] = Anchor(index: index, height: frame.height + 1)
    }
    raiseHeight(to: frame.height + 1)
    guard isMapping, frame.children > 0 else { return }
    if isFlow, isTemplate(index) || isDoubled(frame) {
      let last = marks.offset(of: event.pointee.end_mark.index, in: input)
      let text = String(decoding: bytes[frame.offset..<max(frame.offset, last)], as: UTF8.self)
      problems.append(Diagnostic(.unquotedTemplate(text, in: text), at: range(start, end)))
      entries[index].kind = .invalid
      hints.template = Located(text, at: range(start, end))
      return
    }
    // In one expression: a `KeyCheck` that is alive would make the writes below copy `entries`.
    let isEntry = !isFlow && frames.last.map { entries[$0.index].kind == .sequence } ?? false
    let refused = KeyCheck(entries: entries, bytes: bytes, file: file, isEntry: isEntry)
      .problems(of: index, count: Int(frame.children / 2))
    for (key, problem) in refused {
      entries[key].isRefusedKey = true
      if let problem { problems.append(problem) }
    }
  }

  /// Whether a mapping in flow style comes from a template such as `{$.a}`.
  private func isTemplate(_ index: Int) -> Bool {
    let key = entries[index + 1]
    return key.kind == .scalar && key.isPlain && key.length > 0
      && bytes[key.offset] == UInt8(ascii: "$")
  }

  /// Whether a mapping in flow style is written `{{ … }}`, as in other template languages.
  private func isDoubled(_ frame: Frame) -> Bool {
    frame.children == 2 && entries[frame.index + 1].kind == .mapping
      && bytes[frame.offset...].starts(with: "{{".utf8)
  }

  private mutating func add(_ entry: Tree.Entry) -> Int {
    if let last = frames.indices.last { frames[last].children += 1 }
    entries.append(entry)
    return entries.count - 1
  }

  private mutating func raiseHeight(to height: Int) {
    if let last = frames.indices.last { frames[last].height = max(frames[last].height, height) }
  }

  /// Reports a tag, even one of the core schema: the expected type decides how a value is read.
  private mutating func refuseTag(
    _ pointer: UnsafeMutablePointer<yaml_char_t>?, of entry: inout Tree.Entry
  ) {
    guard let pointer else { return }
    problems.append(Diagnostic(.customTag(Self.text(pointer)), at: range(entry.start, entry.end)))
    if entry.kind == .scalar { entry.kind = .invalid }
  }

  private static func equal(
    _ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ text: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard !text.isEmpty, let left = input.baseAddress, let right = text.baseAddress else {
      return true
    }
    return memcmp(left + start, right, text.count) == 0
  }

  private static func text(_ pointer: UnsafePointer<yaml_char_t>?) -> String {
    pointer.map { String(cString: $0) } ?? ""
  }
}
