internal import Diagnostics
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

  /// Applies a report's certain corrections, in memory.
  ///
  /// - Complexity: O(n) in the bytes of the files and their problems.
  public init(_ report: ManifestReport) {
    let writer = CorrectionWriter(report.sources)
    var edits: [Int: [(edit: TextEdit, problem: Diagnostic)]] = [:]
    for problem in report.problems where problem.correction?.change.isCertain ?? false {
      for edit in writer.edits(of: problem) {
        edits[edit.range.file, default: []].append((edit, problem))
      }
    }
    files = edits.sorted { $0.key < $1.key }.map { file, edits in
      let result = writer.text(ofFile: file, with: edits.map(\.edit))
      let made = Set(result.made)
      let lines = edits.filter { made.contains($0.edit) }.sorted { $0.edit.range < $1.edit.range }
        .map { edit, problem in
          Self.line(edit, problem, at: report.sources.description(of: edit.range))
        }
      return File(source: report.sources.files[file], bytes: result.bytes, lines: lines)
    }
  }

  private static func line(_ edit: TextEdit, _ problem: Diagnostic, at place: String) -> String {
    let old = problem.correction?.change.old ?? ""
    let new = Wording.printable(edit.text)
    return "\(Wording.printable(place)): fixed: '\(Wording.printable(old))' is now '\(new)' "
      + "[\(problem.code)]"
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
