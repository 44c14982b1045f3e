internal import AppCore
internal import Diagnostics
internal import Manifest
internal import PluginHost
internal import Support

extension ManifestReport {
  /// The problems as a SARIF 2.1.0 log with one run.
  ///
  /// Columns count UTF-16 code units, which is what editors count, and the log says so.
  /// Where not all problems are shown, a notification says so.
  func sarif(_ selection: ReportSelection) -> JSONTree {
    let shown = selection.shown(problems)
    let more = selection.kept(problems).count - shown.count
    let codes = Set(shown.map(\.code)).sorted()
    let indexes = Dictionary(uniqueKeysWithValues: codes.enumerated().map { ($1, $0) })
    let log = SARIFLog(columns: SourceColumns(sources), sources: sources)
    let run: JSONTree = [
      "tool": [
        "driver": [
          "name": "appcore",
          "semanticVersion": .string(SDK.version),
          "rules": .array(codes.map(rule)),
        ]
      ],
      "columnKind": "utf16CodeUnits",
      "artifacts": .array(
        sources.files.map { ["location": ["uri": .string(SARIFLog.uri($0.path))]] }),
      "results": .array(
        shown.map { problem in
          log.result(problem, ruleIndex: indexes[problem.code], details: details(problem))
        }),
    ]
    let invocations = more > 0 ? [(name: "invocations", value: Self.omitting(more))] : []
    return [
      "$schema":
        "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
      "version": "2.1.0",
      "runs": .array([run.adding(invocations)]),
    ]
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

  /// What a code means and what to do about it; its weight is that of the problems with it.
  private func rule(_ code: String) -> JSONTree {
    let level = problems.first { $0.code == code }?.severity.sarifLevel ?? "error"
    var tree: JSONTree = ["id": .string(code)]
    if let explanation = Explanation.ofProblem(code) {
      tree = tree.adding([
        ("shortDescription", ["text": .string(explanation.summary)]),
        ("fullDescription", ["text": .string(explanation.meaning)]),
        ("help", ["text": .string(explanation.remedy)]),
      ])
    }
    return tree.adding([("defaultConfiguration", ["level": .string(level)])])
  }

  private func details(_ problem: Problem) -> [String] {
    guard let cause = pluginProblem(of: problem) else { return [] }
    return cause.details + (cause.remedy.map { ["help: \($0)"] } ?? [])
  }
}

/// Writes the parts of a SARIF log that have places.
private struct SARIFLog {
  let columns: SourceColumns
  let sources: SourceMap

  func result(_ problem: Problem, ruleIndex: Int?, details: [String]) -> JSONTree {
    let text = ([problem.message] + details).joined(separator: "\n")
    var tree: JSONTree = [
      "ruleId": .string(problem.code),
      "ruleIndex": .int(ruleIndex ?? -1),
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
    return tree
  }

  private func place(_ range: SourceRange) -> JSONTree {
    var file: JSONTree = ["uri": .string(Self.uri(sources.path(of: range)))]
    if sources.files.indices.contains(range.file) {
      file = file.adding([("index", .int(range.file))])
    }
    return [
      "artifactLocation": file,
      "region": [
        "startLine": .int(range.start.line),
        "startColumn": .int(columns.utf16Column(of: range.start, inFile: range.file)),
        "endLine": .int(range.end.line),
        "endColumn": .int(columns.utf16Column(of: range.end, inFile: range.file)),
      ],
    ]
  }

  /// A path as a URI: relative where the path is.
  static func uri(_ path: String) -> String {
    var text = path.hasPrefix("/") ? "file://" : ""
    for byte in path.utf8 {
      let scalar = Unicode.Scalar(byte)
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "~", "/":
        text.unicodeScalars.append(scalar)
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        text += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return text
  }
}

extension Problem.Severity {
  fileprivate var sarifLevel: String {
    switch self {
    case .error: "error"
    case .warning: "warning"
    case .note: "note"
    }
  }
}
