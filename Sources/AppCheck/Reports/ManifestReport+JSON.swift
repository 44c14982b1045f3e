internal import Manifest
internal import PluginHost
internal import Support

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
    let shown = reports.flatMap { $0.json(selection.shown($0.problems)) }
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

  private func json(_ problems: [Diagnostic]) -> [JSONTree] {
    let writer = CorrectionWriter(sources)
    return problems.map { json($0, writer.edits(of: $0)) }
  }

  private func json(_ problem: Diagnostic, _ edits: [TextEdit]) -> JSONTree {
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
    if let correction = problem.correction, !edits.isEmpty {
      let fix: JSONTree = [
        "certain": .bool(correction.change.isCertain),
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
}
