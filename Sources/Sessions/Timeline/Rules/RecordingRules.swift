package import Support

// The rules that are checked when a recording is read.
extension Rule {
  package static let unreadableRecording = Rule(
    "unreadable-recording", means: "The file of the recording can't be opened or read.",
    remedy: "Correct what the system's reason names.")

  package static let notARecording = Rule(
    "not-a-recording", means: "The file is not a recording: its first line is not one's header.",
    remedy: "Name a file that `appcore run --record` or `:record` has written.")

  package static let newerRecording = Rule(
    "newer-recording",
    means: "The recording has a format that this version of appcore does not know.",
    remedy: "Open it with the version of appcore that has written it, or a later one.")

  package static let damagedHeader = Rule(
    "damaged-header",
    means: "The first line of the recording lacks a required field.",
    remedy: "Get the file again from where it was recorded.")

  package static let damagedRecording = Rule(
    "damaged-recording",
    means: "A line of the recording can't be read. What comes before it is opened.",
    remedy: "Get the file again from where it was recorded; an edited line can be corrected.")

  package static let brokenOrder = Rule(
    "broken-order",
    means:
      "A step of the recording has a number that does not follow the one before it. What comes "
      + "before it is opened.",
    remedy: "Put the lines back in the order in which they were written.")

  package static let impossibleChange = Rule(
    "impossible-change",
    means: "A step of the recording changes something that there is not. What comes before it is "
      + "opened.",
    remedy: "Get the file again from where it was recorded; an edited line can be corrected.")

  package static let alteredRecording = Rule(
    "altered-recording",
    means:
      "A line of the recording was edited after it was written: it contradicts its own digest, or "
      + "all of the app after a step contradicts the steps before it.",
    remedy: "Get the file again from where it was recorded.")

  package static let longRecordingLine = Rule(
    "long-recording-line",
    means:
      "A line of the recording is longer than any that is read. What comes before it is opened.",
    remedy: "Get the file again from where it was recorded; states of that size can't be replayed.")

  package static let cutRecording = Rule(
    "cut-recording", .warning,
    means:
      "The recording stops within a line: whoever wrote it was ended, or the disk was full. What "
      + "comes before that is opened.",
    remedy: "Nothing needs to be done, unless the file was cut later, such as by copying it.")

  package static let recordingRules: [Rule] = [
    .unreadableRecording, .notARecording, .newerRecording, .damagedHeader, .damagedRecording,
    .brokenOrder, .impossibleChange, .alteredRecording, .longRecordingLine, .cutRecording,
  ]
}

/// Why a recording, or the rest of it, can't be read, with the position in the file.
package struct RecordingProblem: Error, Hashable {
  package let path: String
  /// The number of the line, counted from 1.
  package let line: Int
  package let cause: Rejection

  /// The problem in the format of a compiler's diagnostic.
  package var text: String {
    "\(SafeText.line(path)):\(line): \(cause.rule.severity.rawValue): \(cause.message) "
      + "[\(cause.code)]\n  help: \(cause.rule.remedy)"
  }
}
