internal import AppCore
internal import Manifest
internal import PluginHost
internal import Support

/// A format in which the problems of manifests are written.
public enum ReportFormat: String, CaseIterable, Sendable {
  /// Text for people, as compilers print diagnostics.
  case text
  /// A JSON object, which docs/problems.md describes.
  case json
  /// SARIF 2.1.0, for editors and services that show the results of analysis tools.
  case sarif
}

extension ManifestReport {
  /// The problems of one or more manifests in a format, in the order of the manifests; the text
  /// format is empty if there are none.
  public static func rendered(
    _ reports: [ManifestReport], _ format: ReportFormat,
    _ selection: ReportSelection = ReportSelection()
  ) -> String {
    switch format {
    case .text: reports.map { $0.text(selection) }.joined()
    case .json: jsonTree(reports, selection).text
    case .sarif: sarif(reports, selection).text
    }
  }
}

/// The options that select which problems are shown, and whether warnings count as errors.
public struct ReportSelection: Sendable {
  /// The maximum number of problems that are shown for each manifest; negative numbers count as 0.
  public var limit: Int
  /// The codes of the warnings and notes to leave out; errors are never left out.
  public var ignoredCodes: Set<String>
  /// Whether warnings result in the exit status of an error.
  public var warningsAreErrors: Bool

  /// Creates a selection, by default of the first 100 problems of each manifest.
  public init(
    limit: Int = 100, ignoredCodes: Set<String> = [], warningsAreErrors: Bool = false
  ) {
    self.limit = limit
    self.ignoredCodes = ignoredCodes
    self.warningsAreErrors = warningsAreErrors
  }

  /// The problems whose codes are not ignored, including those beyond ``limit``.
  func kept(_ problems: [Diagnostic]) -> [Diagnostic] {
    problems.filter { $0.severity == .error || !ignoredCodes.contains($0.code) }
  }

  /// The problems that are shown, in order of position.
  ///
  /// If there are more than ``limit``, errors are chosen first, then warnings, then notes.
  func shown(_ problems: [Diagnostic]) -> [Diagnostic] {
    let kept = kept(problems)
    guard kept.count > limit else { return kept }
    let weights: [Severity] = [.error, .warning, .note]
    let heaviest = weights.flatMap { weight in kept.filter { $0.severity == weight } }
    return heaviest.prefix(max(0, limit)).sorted()
  }
}

extension ManifestReport {
  /// The version of the JSON format, incremented with every change that can break its readers.
  static let jsonVersion = 1

  /// The problems of one or more manifests as a JSON object.
  ///
  /// Lines and columns are counted from 1, columns in Unicode scalars, as in the text format. The
  /// counts by severity include problems beyond the selection's limit; `omitted` is the number of
  /// these, and missing if there are none.
  static func jsonTree(_ reports: [ManifestReport], _ selection: ReportSelection) -> JSONTree {
    let kept = reports.flatMap { selection.kept($0.problems) }
    let shown = reports.flatMap { selection.shown($0.problems).map($0.json) }
    func count(_ severity: Severity) -> Int { kept.count { $0.severity == severity } }
    let paths = reports.map { JSONTree.string($0.path) }
    let tree: JSONTree = .object([
      ("version", .int(Self.jsonVersion)),
      paths.count == 1 ? ("manifest", paths[0]) : ("manifests", .array(paths)),
      ("columns", "unicode-scalars"),
      ("errors", .int(count(.error))),
      ("warnings", .int(count(.warning))),
      ("notes", .int(count(.note))),
      ("problems", .array(shown)),
    ])
    guard shown.count < kept.count else { return tree }
    return tree.adding([("omitted", .int(kept.count - shown.count))])
  }

  private func json(_ problem: Diagnostic) -> JSONTree {
    var tree: JSONTree = [
      "severity": .string(problem.severity.rawValue),
      "code": .string(problem.code),
      "message": .string(problem.message),
    ]
    tree = tree.adding(place(problem.range))
    if let related = problem.related {
      let second: JSONTree = ["message": .string(related.message)]
      tree = tree.adding([("related", .array([second.adding(place(related.range))]))])
    }
    let edits = sources.edits(of: problem)
    if let correction = problem.correction, !edits.isEmpty {
      let fix: JSONTree = [
        "certain": .bool(correction.isCertain),
        "edits": .array(
          edits.map { edit in
            let text: JSONTree = ["text": .string(edit.text)]
            return text.adding(place(edit.range))
          }),
      ]
      tree = tree.adding([("fix", fix)])
    }
    if let cause = pluginProblem(of: problem) { tree = tree.adding([("plugin", json(cause))]) }
    return tree
  }

  private func place(_ range: SourceRange) -> [(name: String, value: JSONTree)] {
    [
      ("path", .string(sources.path(of: range))),
      ("line", .int(range.start.line)),
      ("column", .int(range.start.column)),
      ("endLine", .int(range.end.line)),
      ("endColumn", .int(range.end.column)),
    ]
  }

  private func json(_ problem: PluginError) -> JSONTree {
    [
      "stage": .string(problem.stage.rawValue),
      "code": .string(problem.code),
      "path": .string(problem.path),
      "message": .string(problem.message),
      "details": JSONTree(problem.details),
      "help": .string(problem.remedy),
    ]
  }

  /// The problems of one or more manifests as a SARIF 2.1.0 log, with a run for each manifest.
  static func sarif(_ reports: [ManifestReport], _ selection: ReportSelection) -> JSONTree {
    [
      "$schema":
        "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
      "version": "2.1.0",
      "runs": .array(reports.map { $0.run(selection) }),
    ]
  }

  /// The problems of this manifest as a SARIF run.
  ///
  /// Columns count UTF-16 code units, as editors do; `columnKind` declares this. If there are more
  /// problems than the selection's limit, a notification gives the number of the omitted ones.
  private func run(_ selection: ReportSelection) -> JSONTree {
    let shown = selection.shown(problems)
    let more = selection.kept(problems).count - shown.count
    let rules = Set(shown.map(\.rule)).sorted { $0.code < $1.code }
    let indexes = Dictionary(uniqueKeysWithValues: rules.enumerated().map { ($1, $0) })
    let run: JSONTree = [
      "tool": [
        "driver": [
          "name": "appcore",
          "semanticVersion": .string(SDK.version),
          "rules": .array(rules.map(json)),
        ]
      ],
      "columnKind": "utf16CodeUnits",
      "artifacts": .array(
        sources.files.map { ["location": ["uri": .string(Self.uri($0.path))]] }),
      "results": .array(
        shown.map { result($0, ruleIndex: indexes[$0.rule] ?? -1) }),
    ]
    return more > 0 ? run.adding([("invocations", Self.omitting(more))]) : run
  }

  private static func omitting(_ count: Int) -> JSONTree {
    [
      [
        "executionSuccessful": true,
        "toolExecutionNotifications": [
          ["level": "warning", "message": ["text": .string("and \(count) more problems")]]
        ],
      ]
    ]
  }

  private func json(_ rule: Rule) -> JSONTree {
    [
      "id": .string(rule.code),
      "shortDescription": ["text": .string(rule.summary)],
      "fullDescription": ["text": .string(rule.means)],
      "help": ["text": .string(rule.remedy)],
      "defaultConfiguration": ["level": .string(rule.severity.sarifLevel)],
    ]
  }

  private func details(_ problem: Diagnostic) -> [String] {
    guard let cause = pluginProblem(of: problem) else { return [] }
    return cause.details + ["help: \(cause.remedy)"]
  }

  private func result(_ problem: Diagnostic, ruleIndex: Int) -> JSONTree {
    let text = ([problem.message] + details(problem)).joined(separator: "\n")
    var tree: JSONTree = [
      "ruleId": .string(problem.code),
      "ruleIndex": .int(ruleIndex),
      "level": .string(problem.severity.sarifLevel),
      "message": ["text": .string(text)],
      "locations": [["physicalLocation": place(problem.range)]],
    ]
    if let related = problem.related {
      let second: JSONTree = [
        "id": 1,
        "physicalLocation": place(related.range),
        "message": ["text": .string(related.message)],
      ]
      tree = tree.adding([("relatedLocations", [second])])
    }
    let edits = sources.edits(of: problem)
    if let change = problem.correction, !edits.isEmpty {
      tree = tree.adding([("fixes", [fix(change, edits)])])
    }
    return tree
  }

  /// A SARIF fix, with one artifact change for each file, which has all replacements in that file.
  private func fix(_ change: Correction, _ edits: [TextEdit]) -> JSONTree {
    let files = Dictionary(grouping: edits, by: \.range.file).sorted { $0.key < $1.key }
    let text = (change.isCertain ? "Write " : "Perhaps write ") + "'\(edits[0].text)'"
    return [
      "description": ["text": .string(text)],
      "artifactChanges": .array(
        files.map { _, edits in
          [
            "artifactLocation": artifact(edits[0].range),
            "replacements": .array(
              edits.map { edit in
                [
                  "deletedRegion": region(edit.range),
                  "insertedContent": ["text": .string(edit.text)],
                ]
              }),
          ]
        }),
    ]
  }

  private func place(_ range: SourceRange) -> JSONTree {
    ["artifactLocation": artifact(range), "region": region(range)]
  }

  private func artifact(_ range: SourceRange) -> JSONTree {
    let file: JSONTree = ["uri": .string(Self.uri(sources.path(of: range)))]
    guard sources.files.indices.contains(range.file) else { return file }
    return file.adding([("index", .int(range.file))])
  }

  private func region(_ range: SourceRange) -> JSONTree {
    [
      "startLine": .int(range.start.line),
      "startColumn": .int(sources.utf16Column(of: range.start, inFile: range.file)),
      "endLine": .int(range.end.line),
      "endColumn": .int(sources.utf16Column(of: range.end, inFile: range.file)),
    ]
  }

  /// A path as a percent-encoded URI; a relative path becomes a relative reference.
  private static func uri(_ path: String) -> String {
    (path.hasPrefix("/") ? "file://" : "")
      + PercentEncoding.encode(path).replacing("%2F", with: "/")
  }
}

extension Severity {
  fileprivate var sarifLevel: String {
    switch self {
    case .error: "error"
    case .warning: "warning"
    case .note: "note"
    }
  }
}
