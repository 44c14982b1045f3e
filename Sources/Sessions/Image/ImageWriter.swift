internal import Support

/// Writes the image of an app: each change as one frame behind those before it.
///
/// When what has been appended has become long, the whole image takes its place, as one frame, and the
/// ``ImageStore`` sees to it that there is a whole image at any moment.
///
/// It may be used from any thread: a line is typed on one, the app runs on another.
public final class ImageWriter: Sendable {
  /// What a file may hold besides twice the whole image before it is given up.
  private static let slack = 1 << 16

  fileprivate struct Content: Sendable {
    var store: any ImageStore
    /// Where the next frame goes.
    var length = 0
    var number: UInt64 = 0
    /// How long a frame with all of the image would be, about.
    var wholeLength = 0
    /// All that the image is made of, coded: to be copied, not coded again.
    var identity = ImageChange()
    var instances: [UInt64: [UInt8]] = [:]
    var rest = ImageChange()
    /// Whether a frame could not be written: the file ends before it.
    var hasFailed = false
  }

  private let content: Locked<Content>

  /// Creates a writer of two files, which start afresh with its first change.
  ///
  /// - Parameters:
  ///   - files: the files; of those before, neither is touched until the first change is written.
  ///   - number: the number of the last frame in either.
  ///   - current: which of the files the last image is in.
  public convenience init(files: (ImageFile, ImageFile), after number: UInt64, current: Int = 0) {
    self.init(FilePair(files: [files.0, files.1], current: current), after: number)
  }

  /// Creates a writer whose first change takes the place of what is there.
  init(_ store: any ImageStore, after number: UInt64 = 0) {
    var content = Content(store: store)
    content.number = number
    content.length = .max
    self.content = Locked(content)
  }

  /// Writes a change.
  ///
  /// - Returns: whether it is written; the image is as it was before where it is not.
  @discardableResult
  public func write(_ change: ImageChange) -> Bool {
    guard !change.isEmpty else { return true }
    let coded = change.instances.map { ($0.id, ImageChange.bytes(of: $0)) }
    var others = change
    others.instances = []
    let bytes = others.bytes + coded.flatMap(\.1)
    return content.withLock { content in
      content.keep(others, coded)
      // Nothing can be shown of an app that has not begun.
      guard content.identity.identity != nil else { return true }
      let isLong = content.length > content.wholeLength * 2 + Self.slack
      if isLong || content.hasFailed { return content.writeWhole() }
      return content.write(bytes)
    }
  }
}

extension ImageWriter.Content {
  mutating func keep(_ change: ImageChange, _ coded: [(UInt64, [UInt8])]) {
    if let identity = change.identity {
      self.identity.identity = identity
      wholeLength += self.identity.bytes.count
    }
    for id in change.removed {
      if let old = instances.removeValue(forKey: id) { wholeLength -= old.count }
    }
    for (id, bytes) in coded {
      wholeLength += bytes.count - (instances.updateValue(bytes, forKey: id)?.count ?? 0)
    }
    if let conversation = change.conversation { rest.conversation = conversation }
    if let link = change.waitingLink { rest.waitingLink = .some(link) }
  }

  mutating func write(_ bytes: [UInt8]) -> Bool {
    let frame = ImageFrame.bytes(bytes, number: number &+ 1)
    guard store.write(frame, at: length) else {
      hasFailed = true
      return false
    }
    number &+= 1
    length += frame.count
    return true
  }

  /// Writes the whole image in the place of what is there.
  mutating func writeWhole() -> Bool {
    var bytes = identity.bytes
    for instance in instances.values { bytes += instance }
    bytes += rest.bytes
    let frame = ImageFrame.bytes(bytes, number: number &+ 1)
    guard store.replace(with: ImageFrame.header + frame) else {
      hasFailed = true
      return false
    }
    hasFailed = false
    length = ImageFrame.header.count + frame.count
    number &+= 1
    wholeLength = bytes.count
    return true
  }
}

/// Where an image is: a header and frames, one after the other.
protocol ImageStore: Sendable {
  /// Writes bytes behind those that are there.
  ///
  /// - Returns: whether all were written.
  mutating func write(_ bytes: [UInt8], at offset: Int) -> Bool
  /// Puts a whole image in the place of what is there, which is given up only then.
  ///
  /// - Returns: whether it was.
  mutating func replace(with bytes: [UInt8]) -> Bool
}

/// Two files of which one is in use.
struct FilePair: ImageStore {
  private let files: [ImageFile]
  private var current: Int

  init(files: [ImageFile], current: Int) {
    self.files = files
    self.current = current
  }

  func write(_ bytes: [UInt8], at offset: Int) -> Bool { files[current].write(bytes, at: offset) }

  mutating func replace(with bytes: [UInt8]) -> Bool {
    let other = 1 - current
    files[other].truncate()
    guard files[other].write(bytes, at: 0) else { return false }
    files[current].truncate()
    current = other
    return true
  }
}
