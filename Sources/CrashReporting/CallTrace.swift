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

  /// Forgets the calls that were taken before.
  mutating func forget() { count = 0 }

  /// The innermost call in a plugin's file, with the plugin; `nil` where there is none.
  ///
  /// Of one plugin, or of any where `plugin` is `nil`.
  func pluginPlace(of plugin: String?) -> (plugin: String, place: Place)? {
    for index in 0..<count {
      guard let address = addresses[index], let describe = Self.describe else { continue }
      // `Dl_info`: the file, where it is loaded, the nearest symbol and that symbol's place.
      var info: [UnsafeRawPointer?] = [nil, nil, nil, nil]
      guard describe(address, &info) != 0, let file = info[0], let base = info[1] else { continue }
      let path = String(cString: file.assumingMemoryBound(to: CChar.self))
      guard let found = PluginFiles.plugin(ofFile: path), plugin == nil || plugin == found else {
        continue
      }
      // What is kept of a call is where it returns to.
      let offset = UInt(bitPattern: address) - UInt(bitPattern: base) - 1
      return (found, Place(path: path, offset: offset))
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
