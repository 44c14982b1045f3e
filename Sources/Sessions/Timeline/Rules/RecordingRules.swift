package import Support

/// The rules of this module; what they mean, and what helps, is in `RecordingRules.md`.
extension Rule {
  private static let catalogue = RuleCatalogue(PackageResources.RecordingRules_md)

  package static let unreadableRecording = catalogue["unreadable-recording"]
  package static let notARecording = catalogue["not-a-recording"]
  package static let newerRecording = catalogue["newer-recording"]
  package static let damagedHeader = catalogue["damaged-header"]
  package static let damagedRecording = catalogue["damaged-recording"]
  package static let brokenOrder = catalogue["broken-order"]
  package static let impossibleChange = catalogue["impossible-change"]
  package static let alteredRecording = catalogue["altered-recording"]
  package static let longRecordingLine = catalogue["long-recording-line"]
  package static let cutRecording = catalogue["cut-recording"]

  package static let recordingRules = catalogue.rules(of: "Recordings")
}

/// Why a recording, or the rest of it, can't be read, with the position in the file.
package struct RecordingProblem: Error, Hashable, CustomStringConvertible {
  package let path: String
  /// The number of the line, counted from 1.
  package let line: Int
  package let cause: Rejection

  /// The problem in the format of a compiler's diagnostic.
  package var description: String {
    "\(SafeText.line(path)):\(line): \(cause.rule.severity.rawValue): \(cause.message) "
      + "[\(cause.code)]\n  help: \(cause.rule.remedy)"
  }
}
