/// Reads images out of bytes that may be anything.
public enum ImageReader {
  /// What a file of frames holds.
  public struct Content: Sendable {
    public let image: SessionImage
    /// The number of the last frame that is whole.
    public let number: UInt64
    /// How many bytes were read; what comes after them is damaged, or was never finished.
    public let length: Int
  }

  /// Why there is no image in a file.
  public enum Problem: Error, Hashable, Sendable {
    /// It holds nothing.
    case empty
    /// It is not a session's.
    case foreign
    /// It was written by another version of the format.
    case otherVersion(Int)
    /// Its first frame is damaged, or is not the image of an app.
    case damaged
  }

  /// Reads all frames up to the first that is damaged.
  public static func read(_ bytes: [UInt8]) throws(Problem) -> Content {
    guard !bytes.isEmpty else { throw .empty }
    let header = ImageFrame.header
    guard bytes.count >= header.count, bytes.starts(with: header.dropLast()) else { throw .foreign }
    let version = bytes[header.count - 1]
    guard version == ImageFrame.version else { throw .otherVersion(Int(version)) }
    var position = header.count
    var image: SessionImage?
    var number: UInt64 = 0
    while let frame = ImageFrame.read(bytes[position...]),
      image == nil || frame.number == number &+ 1, let change = ImageChange(frame.content)
    {
      // The first frame is of the whole app.
      guard var current = image ?? change.identity.map(SessionImage.init) else { break }
      current.apply(change)
      image = current
      number = frame.number
      position = frame.content.endIndex
    }
    guard let image else { throw .damaged }
    return Content(image: image, number: number, length: position)
  }

  /// The newer of two images; `nil` where neither file holds one.
  public static func newest(of files: [[UInt8]]) -> Content? {
    files.compactMap { try? read($0) }.max { $0.number < $1.number }
  }
}

extension ImageReader.Problem: CustomStringConvertible {
  public var description: String {
    switch self {
    case .empty: "it is empty"
    case .foreign: "it is not a saved session"
    case .otherVersion(let version):
      "it has format \(version), and this version of appcore reads format \(ImageFrame.version)"
    case .damaged: "it is damaged"
    }
  }
}
