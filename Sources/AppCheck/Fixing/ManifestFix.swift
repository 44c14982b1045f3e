internal import Manifest
internal import Support

/// The certain corrections of a manifest's problems: what `appcore check --fix` writes.
public struct ManifestFix {
  /// The files with all of their corrections made, and a line for each change.
  private let files: [(source: SourceFile, bytes: [UInt8], lines: [String])]

  /// Applies a report's certain corrections in memory, and those of what they uncover.
  public init(_ report: ManifestReport, options: AppOptions) {
    let run = CorrectionRun { contents in
      guard !contents.isEmpty else { return report.checked }
      var options = options
      options.contents = contents
      return (try? ManifestReport(report.path, options: options))?.checked ?? report.checked
    }
    let steps = Dictionary(grouping: run.steps) { $0.path }
    files = report.sources.files.compactMap { source in
      guard let bytes = run.contents[source.path], bytes != source.bytes else { return nil }
      return (source, bytes, steps[source.path, default: []].map(Self.line))
    }
  }

  private static func line(_ step: CorrectionRun.Step) -> String {
    let old = step.problem.correction?.old ?? ""
    let new = Wording.printable(step.edit.text)
    return "\(Wording.printable(step.place)): fixed: '\(Wording.printable(old))' is now '\(new)' "
      + "[\(step.problem.code)]"
  }

  /// Writes each file once, so that it is never half written.
  ///
  /// - Returns: the changes, a line for each, and a line for each file that could not be written.
  public func write() -> [String] {
    files.flatMap { file in
      Self.failure(writing: file.bytes, to: file.source).map { reason in
        ["\(Wording.printable(file.source.path)): not fixed: \(reason)"]
      } ?? file.lines
    }
  }

  /// Replaces a file; returns why it is not replaced, or `nil`.
  private static func failure(writing bytes: [UInt8], to source: SourceFile) -> String? {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    guard let current = try? ManifestLoader.bytes(ofFile: source.path) else {
      return "it can't be read any more"
    }
    let isMarked = current.starts(with: mark)
    // Only a file that is still as it was checked is replaced, in the same encoding.
    guard current.dropFirst(isMarked ? mark.count : 0).elementsEqual(source.bytes) else {
      return "it has changed since, or is not UTF-8"
    }
    do throws(SystemError) {
      try FileReplacement.write((isMarked ? mark : []) + bytes, to: source.path)
    } catch {
      return "\(error)"
    }
    return nil
  }
}

extension ManifestReport {
  fileprivate var checked: CorrectionRun.CheckedFiles { (problems, sources, isWhole) }
}
