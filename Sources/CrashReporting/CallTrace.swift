internal import Glibc
internal import Navigation

/// Where a thread was when a signal interrupted it, and who had called.
///
/// It is taken in a handler, into memory that is there already; what the addresses are is found out
/// elsewhere.
struct CallTrace: @unchecked Sendable {
  // Unchecked: written in the handler, read while its thread stands still.
  private static let limit = 128
  private let addresses: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  private var count = 0

  private typealias Backtrace =
    @convention(c) (UnsafeMutablePointer<UnsafeMutableRawPointer?>, Int32) -> Int32
  private typealias Describe =
    @convention(c) (UnsafeRawPointer?, UnsafeMutablePointer<UnsafeRawPointer?>) -> Int32
  /// `backtrace` and `dladdr`, which Swift's Glibc does not show.
  private static let backtrace = dlsym(nil, "backtrace").map {
    unsafeBitCast($0, to: Backtrace.self)
  }
  private static let describe = dlsym(nil, "dladdr").map {
    unsafeBitCast($0, to: Describe.self)
  }

  /// Makes room, and has the unwinder made ready: the first time, it is loaded.
  init() {
    addresses = .allocate(capacity: Self.limit)
    addresses.initialize(repeating: nil, count: Self.limit)
    _ = Self.backtrace?(addresses, Int32(Self.limit))
    _ = Self.describe
  }

  /// Takes the calls of this thread; safe in a handler.
  mutating func take() {
    count = Int(Self.backtrace?(addresses, Int32(Self.limit)) ?? 0)
  }

  /// The innermost call in a library whose file's name begins with `prefix`.
  func place(in prefix: String) -> Place? {
    for index in 0..<count {
      guard let address = addresses[index], let describe = Self.describe else { continue }
      // `Dl_info`: the file, where it is loaded, the nearest symbol and that symbol's place.
      var info: [UnsafeRawPointer?] = [nil, nil, nil, nil]
      guard describe(address, &info) != 0, let file = info[0], let base = info[1] else { continue }
      let path = String(cString: file.assumingMemoryBound(to: CChar.self))
      let name = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.index(after: $0) }
      guard path[(name ?? path.startIndex)...].hasPrefix(prefix) else { continue }
      // What is kept of a call is where it returns to.
      return Place(path: path, offset: UInt(bitPattern: address) - UInt(bitPattern: base) - 1)
    }
    return nil
  }

  /// A place in a library's file.
  struct Place {
    let path: String
    /// From where the library is loaded, in bytes.
    let offset: UInt
  }
}
