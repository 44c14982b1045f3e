internal import Manifest
internal import Support

/// The certain corrections of a manifest's problems: what `appcore check --fix` writes.
public struct ManifestFix {
  /// A file with all of its corrections made.
  private struct File {
    let source: SourceFile
    let bytes: [UInt8]
    /// The changes, a line for each.
    let lines: [String]
  }

  private let files: [File]

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
      return File(
        source: source, bytes: bytes, lines: steps[source.path, default: []].map(Self.line))
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
      do throws(FixError) {
        try Self.write(file)
        return file.lines
      } catch {
        return ["\(Wording.printable(file.source.path)): not fixed: \(error.reason)"]
      }
    }
  }

  private struct FixError: Error {
    let reason: String
  }

  private static func write(_ file: File) throws(FixError) {
    let path = file.source.path
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    guard let current = try? ManifestLoader.bytes(ofFile: path) else {
      throw FixError(reason: "it can't be read any more")
    }
    let isMarked = current.starts(with: mark)
    // Only a file that is still as it was checked is replaced, in the same encoding.
    guard current.dropFirst(isMarked ? mark.count : 0).elementsEqual(file.source.bytes) else {
      throw FixError(reason: "it has changed since, or is not UTF-8")
    }
    do throws(SystemError) {
      try FileReplacement.write((isMarked ? mark : []) + file.bytes, to: path)
    } catch {
      throw FixError(reason: "\(error)")
    }
  }
}

extension ManifestReport {
  /// The problems and files, for correcting them.
  fileprivate var checked: CorrectionRun.CheckedFiles { (problems, sources, isWhole) }
}
