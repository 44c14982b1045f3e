@_spi(Host) internal import AppCore
internal import Glibc
package import Support

/// Why a recording can't be written to a file.
package enum RecordingFileRefusal: Error, Hashable, CustomStringConvertible {
  /// The path is a directory, a pipe or a device, to which writing may block or be useless.
  case notRegular
  /// The path is a file with something else in it.
  case foreign
  case system(Int32)

  package var description: String {
    switch self {
    case .notRegular: "it is not a regular file"
    case .foreign: "there is a file that is not a recording"
    case .system(let code): "\(SystemError(code))"
    }
  }
}

/// A file to which a recording is written, line by line, and which only its owner can read.
package struct RecordingFile: Sendable {
  package let path: String
  private let descriptor: Int32

  /// Opens a file to begin or continue a recording; it is created if it does not exist.
  ///
  /// If it `continues`, the file's content is kept, except for an incomplete last line.
  ///
  /// - Throws: why the file can't be opened; its content is unchanged.
  package init(path: String, continues: Bool = false) throws(RecordingFileRefusal) {
    self.path = path
    // O_NONBLOCK: opening a pipe without a reader would block.
    descriptor = open(
      path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_APPEND, 0o600)
    guard descriptor >= 0 else {
      throw [EISDIR, ENXIO].contains(errno) ? .notRegular : .system(errno)
    }
    do throws(RecordingFileRefusal) {
      guard let status = Descriptor.status(descriptor) else { throw .system(errno) }
      guard status.isRegular else { throw .notRegular }
      guard continues || Self.mayReplace(path, if: Self.isRecording) else { throw .foreign }
      guard fchmod(descriptor, 0o600) == 0 else { throw .system(errno) }
      let size = Int(status.st_size)
      let end = continues ? try Self.lastLineEnd(of: descriptor, size: size) : 0
      guard end == size || ftruncate(descriptor, off_t(end)) == 0 else { throw .system(errno) }
    } catch {
      close()
      throw error
    }
  }

  /// The end of the last complete line: a process that is ended while writing leaves a part of one.
  private static func lastLineEnd(
    of descriptor: Int32, size: Int
  ) throws(RecordingFileRefusal) -> Int {
    var end = size
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    while end > 0 {
      let start = max(0, end - bytes.count)
      let count = pread(descriptor, &bytes, end - start, off_t(start))
      guard count == end - start else { throw .system(count < 0 ? errno : EIO) }
      if let newline = bytes[..<count].lastIndex(of: 0x0a) { return start + newline + 1 }
      end = start
    }
    return 0
  }

  /// Writes lines, each with its newline.
  ///
  /// - Throws: the system's error; some of the lines may have been written.
  package func write(_ lines: [String]) throws(InputOutputError) {
    try Descriptor.write(descriptor, Array(lines.map { $0 + "\n" }.joined().utf8))
  }

  /// Whether a file is empty, or begins as what would replace it; one that can't be read does not.
  package static func mayReplace(_ path: String, if isSuch: (_ start: [UInt8]) -> Bool) -> Bool {
    guard let start = try? WholeFile.read(path, limit: 4096) else { return false }
    return start.isEmpty || isSuch(start)
  }

  /// Whether a file that begins with these bytes is a recording.
  package static func isRecording(_ start: [UInt8]) -> Bool {
    // The keys of the header are sorted; the manifest in it may be long, and "recording" follows that.
    let text = String(decoding: start, as: UTF8.self)
    return text.hasPrefix(#"{"app":"#) && text.contains(#","begun":"#)
      && text.contains(#","compiler":"#)
  }

  package func close() { Glibc.close(descriptor) }

  /// Finds the last step of a recording, to continue it.
  ///
  /// - Returns: the number of the last step, or 0 if there is none, and whether a crash follows it;
  ///   `nil` if the file is empty or can't be opened.
  package static func lastStep(of path: String) -> (number: Int, hasCrashed: Bool)? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    defer { Glibc.close(descriptor) }
    guard let status = Descriptor.status(descriptor) else { return nil }
    guard status.st_size > 0 else { return nil }
    // The last step is seldom longer than 64 KiB; otherwise the whole file is read.
    var hasCrashed = false
    for length in [1 << 16, Int(status.st_size)] {
      let count = min(length, Int(status.st_size))
      var bytes = [UInt8](repeating: 0, count: count)
      let read = pread(descriptor, &bytes, count, status.st_size - count)
      hasCrashed = false
      for line in bytes.prefix(max(read, 0)).split(separator: 0x0a).reversed() {
        switch try? RecordingLine(line) {
        case .step(let step)?: return (step.number, hasCrashed)
        case .keyframe(let step, _)?: return (step, hasCrashed)
        case .crash?: hasCrashed = true
        case .end?, nil: break
        }
      }
    }
    return (0, hasCrashed)
  }
}

package enum RecordingLine: Hashable, Sendable {
  /// The whole app after a step; reading can begin here.
  case keyframe(step: Int, AppMoment)
  case step(RecordedStep)
  case crash(RecordedCrash)
  /// The app ended normally, or the recording was saved while it ran.
  case end

  /// The line as JSON, without its newline.
  package var text: String {
    switch self {
    case .keyframe(let step, let moment):
      var fields = moment.whole.fields
      fields["k"] = .int(step)
      // Whoever reads one takes the list to be there.
      fields["c"] = fields["c"] ?? []
      return Value.object(fields).json
    case .step(let step): return Value.object(step.fields).json
    case .crash(let crash): return Value(coding: ["crash": crash.fields]).json
    case .end: return #"{"end":true}"#
    }
  }

  /// Parses a line.
  ///
  /// - Parameter bytes: the line without its newline.
  /// - Throws: why it is not a line of a recording.
  package init(_ bytes: some Sequence<UInt8>) throws(Rejection) {
    let value: Value
    do throws(JSONReader.Failure) {
      value = try JSONReader.value(bytes, depthLimit: Value.lineDepthLimit)
    } catch {
      throw .unreadableLine("\(error.reason), at byte \(error.offset + 1)")
    }
    guard case .object(let fields) = value else { throw .unreadableLine("it is not a JSON object") }
    if fields["n"] != nil {
      self = .step(try RecordedStep(fields))
    } else if fields["k"] != nil {
      var moment = AppMoment()
      if let reason = moment.apply(try StateChange(fields)) { throw .unreadableLine(reason) }
      self = .keyframe(step: try fields.number("k"), moment)
    } else if case .object(let crash)? = fields["crash"] {
      self = .crash(RecordedCrash(fields: crash.compactMapValues(\.text)))
    } else if fields["end"] == true {
      self = .end
    } else {
      throw .unreadableLine("it is not a step, a keyframe or an end")
    }
  }
}

extension Rejection {
  fileprivate static func unreadableLine(_ reason: String) -> Rejection {
    Rejection(.damagedRecording, "the line can't be read: \(reason)")
  }
}

extension [String: Value] {
  /// The largest number that is accepted: sums of a few of them don't overflow.
  private static var largestNumber: Int { 1 << 53 }

  func number(_ name: String) throws(Rejection) -> Int {
    try required(name, "a number from 0 to 2^53") { field -> Int? in
      guard case .int(let number) = field, (0...Self.largestNumber).contains(number) else {
        return nil
      }
      return number
    }
  }

  /// Reads a field.
  ///
  /// - Throws: a fault if it is missing or can't be read.
  func required<Part>(
    _ name: String, _ expected: String, _ read: (Value) -> Part?
  ) throws(Rejection) -> Part {
    guard let part = self[name].flatMap(read) else {
      throw .unreadableLine("its field '\(name)' is not \(expected)")
    }
    return part
  }

  /// Reads a field; `missing` stands for one that is missing.
  ///
  /// - Throws: a fault if it can't be read.
  func optional<Part>(
    _ name: String, _ expected: String, or missing: Part, _ read: (Value) -> Part?
  ) throws(Rejection) -> Part {
    self[name] == nil ? missing : try required(name, expected, read)
  }
}
