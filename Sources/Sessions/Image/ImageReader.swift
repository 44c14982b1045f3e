/// Reads images from files, which may be damaged.
public enum ImageReader {
  /// The content of a file.
  public struct Content: Sendable {
    public let image: SessionImage
    /// The number of the last complete frame.
    public let number: UInt64
    /// How many bytes the header and the complete frames have; what follows is ignored.
    public let length: Int
  }

  /// Why a file contains no image.
  public enum Problem: Error, Hashable, Sendable {
    /// The file is empty.
    case empty
    /// The file does not begin with the signature of sessions.
    case foreign
    /// The file has another version of the format.
    case otherVersion(Int)
    /// The first frame is damaged, or has no identity of an app.
    case damaged
  }

  /// Reads the image from the frames of a file, up to the first that is damaged.
  ///
  /// - Parameter bytes: the content of the file.
  /// - Returns: the image, and what was read.
  /// - Throws: ``Problem`` if there is no image.
  public static func read(_ bytes: [UInt8]) throws(Problem) -> Content {
    guard !bytes.isEmpty else { throw .empty }
    let header = ImageFrame.header
    guard bytes.count >= header.count, bytes.starts(with: header.dropLast()) else { throw .foreign }
    let version = bytes[header.count - 1]
    guard (ImageFrame.oldestVersion...ImageFrame.version).contains(version) else {
      throw .otherVersion(Int(version))
    }
    var position = header.count
    var image: SessionImage?
    var number: UInt64 = 0
    while let frame = ImageFrame.read(bytes[position...]),
      image == nil || frame.number == number &+ 1, let change = ImageChange(frame.content)
    {
      // The first frame contains the whole image, with the identity of the app.
      guard var current = image ?? change.identity.map(SessionImage.init) else { break }
      current.apply(change)
      image = current
      number = frame.number
      position = frame.content.endIndex
    }
    guard let image else { throw .damaged }
    return Content(image: image, number: number, length: position)
  }

  /// The newest image of several files; `nil` if none contains one.
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
