internal import AppCore
internal import Glibc
internal import Navigation
internal import PluginHost
internal import Support

/// Writes the image of an app, by appending each change as one frame.
///
/// When the file has become long, the whole image replaces it as one frame. The ``ImageStore``
/// ensures that there is a complete image at any moment.
///
/// It may be used from any thread: lines are typed on one, the app runs on another.
public final class ImageWriter: Sendable {
  /// A file is replaced when it is longer than twice the whole image plus this, in bytes.
  private static let slack = 1 << 16

  fileprivate struct Content: Sendable {
    var store: any ImageStore
    /// The length of the file, at which the next frame begins; `.max` before the first whole image.
    var length = Int.max
    var number: UInt64
    /// The approximate length of a frame with the whole image.
    var wholeLength = 0
    /// The lines of the instances, so that a whole image can be written without encoding them again.
    var instances: [InstanceID: String] = [:]
    /// The image without its instances.
    var rest = ImageChange()
    /// Whether the last frame could not be written, so that nothing can be appended.
    var hasFailed = false
  }

  private let content: Locked<Content>

  /// Creates a writer that alternates between two files.
  ///
  /// The previous image stays in its file until the first whole image was written to the other one.
  ///
  /// `number` is that of the last frame of the previous image, and `current` the index of its file.
  public convenience init(files: (ImageFile, ImageFile), after number: UInt64, current: Int = 0) {
    self.init(FilePair(files: [files.0, files.1], current: current), after: number)
  }

  /// Creates a writer whose first frame replaces the content of the store.
  init(_ store: any ImageStore, after number: UInt64 = 0) {
    content = Locked(Content(store: store, number: number))
  }

  /// Writes a change.
  ///
  /// Changes before the one with the app's identity are kept in memory and written with it.
  ///
  /// - Returns: whether it was written; if not, the stored image is the one before.
  @discardableResult
  public func write(_ change: ImageChange) -> Bool {
    guard !change.isEmpty else { return true }
    let coded = change.state.wholeInstances.map { ($0.id, $0.value.json) }
    let lines = [change.header] + coded.map(\.1)
    return content.withLock { content in
      content.keep(change, coded)
      // Without an identity the image can't be read.
      guard content.rest.identity != nil else { return true }
      let isLong = content.length > content.wholeLength * 2 + Self.slack
      if isLong || content.hasFailed { return content.writeWhole() }
      return content.write(lines)
    }
  }
}

extension ImageWriter.Content {
  /// Applies a change to the parts that are kept in memory.
  mutating func keep(_ change: ImageChange, _ coded: [(InstanceID, String)]) {
    if let identity = change.identity {
      rest.identity = identity
      (instances, wholeLength) = ([:], 0)
    }
    rest.conversation = change.conversation ?? rest.conversation
    rest.variables = change.variables ?? rest.variables
    if let link = change.state.waitingLink { rest.state.waitingLink = .some(link) }
    for id in change.state.removed {
      if let old = instances.removeValue(forKey: id) { wholeLength -= old.utf8.count }
    }
    for (id, line) in coded {
      wholeLength += line.utf8.count - (instances.updateValue(line, forKey: id)?.utf8.count ?? 0)
    }
  }

  mutating func write(_ lines: [String]) -> Bool {
    let frame = ImageFrame.bytes(lines, number: number &+ 1)
    guard store.write(frame, at: length) else {
      hasFailed = true
      return false
    }
    number &+= 1
    length += frame.count
    return true
  }

  mutating func writeWhole() -> Bool {
    let frame = ImageFrame.bytes([rest.header] + instances.values, number: number &+ 1)
    guard store.replace(with: ImageFrame.header + frame) else {
      hasFailed = true
      return false
    }
    hasFailed = false
    length = ImageFrame.header.count + frame.count
    number &+= 1
    wholeLength = frame.count
    return true
  }
}

/// The storage of an image, which has the format of ``ImageFrame``.
protocol ImageStore: Sendable {
  /// Writes bytes at an offset, which is the end of the content.
  ///
  /// - Returns: whether all bytes were written.
  mutating func write(_ bytes: [UInt8], at offset: Int) -> Bool
  /// Replaces the content by a whole image; the former content is removed only when that is
  /// written.
  ///
  /// - Returns: whether the image was written.
  mutating func replace(with bytes: [UInt8]) -> Bool
}

/// Two files, of which one contains the current image; the other is for replacing it.
struct FilePair: ImageStore {
  fileprivate let files: [ImageFile]
  fileprivate var current: Int

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

/// A file for an image, which is not mapped into memory.
///
/// So a plugin that overwrites the memory of its process can't damage it. If foreign code has
/// closed the descriptor, which may be that of another file by now, nothing is written.
public struct ImageFile: Sendable {
  public let descriptor: Int32
  private let identity: [UInt64]

  /// Creates a file in memory, which exists as long as a process has it open.
  ///
  /// The name is shown in `/proc`, for debugging. It fails if the system can't create such files.
  public init?(inMemory name: String) {
    // MFD_CLOEXEC
    guard let create = GNUFunctions.makeMemoryFile, case let created = create(name, 1), created >= 0
    else { return nil }
    self.init(descriptor: created)
  }

  init?(descriptor: Int32) {
    guard let status = Descriptor.status(descriptor) else { return nil }
    self.descriptor = descriptor
    identity = status.identity
  }

  private var isOpen: Bool { Descriptor.status(descriptor)?.identity == identity }

  /// Writes bytes at an offset.
  ///
  /// - Returns: whether all bytes were written.
  package func write(_ bytes: [UInt8], at offset: Int) -> Bool {
    guard isOpen else { return false }
    return bytes.withUnsafeBytes { Descriptor.writeAll($0, to: descriptor, at: offset) } == nil
  }

  /// Moves what a pipe has into the file, after waiting for it, so that no byte is in this process
  /// alone while it may be killed.
  ///
  /// - Returns: how many bytes; 0 at the end of the input; `nil` if they can't be moved, such as from
  ///   what is no pipe, and are to be read instead.
  package func move(from pipe: Int32, at offset: Int, atMost count: Int) -> Int? {
    guard isOpen, let splice = GNUFunctions.splice else { return nil }
    var offset = offset
    let moved = Descriptor.uninterrupted { splice(pipe, nil, descriptor, &offset, count, 0) }
    return moved < 0 ? nil : moved
  }

  package func truncate(to size: Int = 0) { if isOpen { _ = ftruncate(descriptor, off_t(size)) } }

  /// In bytes.
  package var size: Int { Descriptor.status(descriptor).map { Int($0.st_size) } ?? 0 }

  /// The content of the file; empty if it can't be read.
  public func contents() -> [UInt8] { contents(from: 0, atMost: .max) }

  /// The bytes of the file from a place on, at most so many.
  package func contents(from start: Int, atMost limit: Int) -> [UInt8] {
    let end = self.size
    guard end > start else { return [] }
    let size = min(end - start, limit)
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, initialized in
      while initialized < size {
        let count = Descriptor.uninterrupted {
          pread(
            descriptor, buffer.baseAddress.map { $0 + initialized }, size - initialized,
            off_t(start + initialized))
        }
        guard count > 0 else { return }
        initialized += count
      }
    }
  }
}

/// The format of image files: a header, followed by frames.
///
/// A frame consists of the length of its content, its number, a digest of both and of the content,
/// and the content, which is an ``ImageChange``. Frames are numbered consecutively. A frame whose
/// digest does not match was not completely written; it is ignored with all that follow.
package enum ImageFrame {
  /// The first bytes of a file: a signature and the version of the format.
  package static let header: [UInt8] = Array("appcore session".utf8) + [version]
  package static let version: UInt8 = 4
  /// The size of a frame without its content, in bytes.
  static let overhead = 24
  /// The maximum size of a frame's content, in bytes.
  static let limit = 1 << 30

  package static func bytes(_ lines: [String], number: UInt64) -> [UInt8] {
    var frame: [UInt8] = []
    frame.reserveCapacity(overhead + lines.reduce(0) { $0 + $1.utf8.count + 1 })
    frame.append(contentsOf: repeatElement(0, count: overhead))
    for line in lines {
      frame += line.utf8
      frame.append(0x0a)
    }
    let length = UInt64(frame.count - overhead)
    var writer = ByteWriter()
    writer.word(length)
    writer.word(number)
    writer.word(digest(length: length, number: number, frame[overhead...]))
    frame.replaceSubrange(..<overhead, with: writer.bytes)
    return frame
  }

  /// Reads the frame at the beginning of `bytes`; `nil` if it is incomplete or damaged.
  package static func read(_ bytes: ArraySlice<UInt8>) -> (
    number: UInt64, content: ArraySlice<UInt8>
  )? {
    var reader = ByteReader(bytes)
    guard let length = reader.word(), let number = reader.word(), let expected = reader.word(),
      length <= UInt64(limit), length <= UInt64(reader.left)
    else { return nil }
    let start = bytes.startIndex + overhead
    let content = bytes[start..<start + Int(length)]
    guard digest(length: length, number: number, content) == expected else { return nil }
    return (number, content)
  }

  /// The digest of a frame: that of both numbers and of the content's own digest.
  ///
  /// So the content need not be copied to follow the numbers.
  private static func digest(
    length: UInt64, number: UInt64, _ content: ArraySlice<UInt8>
  ) -> UInt64 {
    let inner = content.withUnsafeBytes { ContentDigest($0).value }
    return withUnsafeBytes(of: (length.littleEndian, number.littleEndian, inner.littleEndian)) {
      ContentDigest($0).value
    }
  }
}

/// Reads images from files, which may be damaged.
public enum ImageReader {
  public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String
    /// Whether the file does not begin with the signature of sessions.
    package let isForeign: Bool

    fileprivate init(_ description: String, isForeign: Bool = false) {
      self.description = description
      self.isForeign = isForeign
    }
  }

  /// Reads the image from the frames of a file, up to the first that is damaged.
  ///
  /// - Returns: the image, the number of the last complete frame, and how many bytes the header and
  ///   the complete frames have; what follows is ignored.
  /// - Throws: ``Problem`` if there is no image.
  public static func read(
    _ bytes: [UInt8]
  ) throws(Problem) -> (image: SessionImage, number: UInt64, length: Int) {
    guard !bytes.isEmpty else { throw Problem("it is empty") }
    let header = ImageFrame.header
    guard bytes.count >= header.count, bytes.starts(with: header.dropLast()) else {
      throw Problem("it is not a saved session", isForeign: true)
    }
    let version = bytes[header.count - 1]
    guard version == ImageFrame.version else {
      throw Problem(
        "it has format \(version), and this version of appcore reads format \(ImageFrame.version)")
    }
    var position = header.count
    var image: SessionImage?
    var number: UInt64 = 0
    while let frame = ImageFrame.read(bytes[position...]),
      image == nil || frame.number == number &+ 1, let change = ImageChange(frame.content)
    {
      // The first frame contains the whole image, with the identity of the app.
      guard var current = image ?? change.identity.map({ SessionImage(identity: $0) }) else {
        break
      }
      // Without a second reference to its instances, which each change would copy.
      image = nil
      // The image is unusable then; what comes before the frame is not.
      guard current.apply(change) else { return try read(Array(bytes[..<position])) }
      image = current
      number = frame.number
      position = frame.content.endIndex
    }
    guard let image else { throw Problem("it is damaged") }
    return (image, number, position)
  }
}
