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
