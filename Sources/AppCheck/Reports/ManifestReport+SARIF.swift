internal import AppCore
internal import Manifest
internal import PluginHost
internal import Support

extension ManifestReport {
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
        shown.map { problem in
          result(problem, ruleIndex: indexes[problem.rule], details: details(problem))
        }),
    ]
    let invocations = more > 0 ? [(name: "invocations", value: Self.omitting(more))] : []
    return run.adding(invocations)
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

  private func result(_ problem: Diagnostic, ruleIndex: Int?, details: [String]) -> JSONTree {
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

extension Severity {
  fileprivate var sarifLevel: String {
    switch self {
    case .error: "error"
    case .warning: "warning"
    case .note: "note"
    }
  }
}
