internal import Glibc
internal import Navigation

/// The call stack of a thread at the time a signal interrupted it.
///
/// It is recorded in a signal handler, into preallocated memory; another thread looks the addresses
/// up.
struct CallTrace: @unchecked Sendable {
  // Unchecked: written in the handler, and read while its thread is stopped.
  private static let limit = 128
  private let addresses: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  private var count = 0

  private typealias Backtrace =
    @convention(c) (UnsafeMutablePointer<UnsafeMutableRawPointer?>, Int32) -> Int32
  private typealias Describe =
    @convention(c) (UnsafeRawPointer?, UnsafeMutablePointer<UnsafeRawPointer?>) -> Int32
  /// `backtrace` and `dladdr`, which Swift's Glibc module does not export.
  private static let backtrace = dlsym(nil, "backtrace").map {
    unsafeBitCast($0, to: Backtrace.self)
  }
  private static let describe = dlsym(nil, "dladdr").map {
    unsafeBitCast($0, to: Describe.self)
  }

  /// Allocates the memory, and calls `backtrace` once, since its first call loads the unwinder.
  init() {
    addresses = .allocate(capacity: Self.limit)
    addresses.initialize(repeating: nil, count: Self.limit)
    _ = Self.backtrace?(addresses, Int32(Self.limit))
    _ = Self.describe
  }

  /// Records the calls of this thread; callable in a signal handler.
  mutating func capture() {
    count = Int(Self.backtrace?(addresses, Int32(Self.limit)) ?? 0)
  }

  /// Discards the recorded calls.
  mutating func clear() { count = 0 }

  /// The innermost call in the file of a plugin, with the plugin's name; `nil` if there is none.
  ///
  /// Searches for calls of `plugin`, or if that is `nil`, of any plugin.
  func pluginPlace(of plugin: String?) -> (plugin: String, place: Place)? {
    for index in 0..<count {
      guard let address = addresses[index], let describe = Self.describe else { continue }
      // `Dl_info`: the file, its load address, the nearest symbol and that symbol's address.
      var info: [UnsafeRawPointer?] = [nil, nil, nil, nil]
      guard describe(address, &info) != 0, let file = info[0], let base = info[1] else { continue }
      let path = String(cString: file.assumingMemoryBound(to: CChar.self))
      guard let found = PluginFiles.plugin(ofFile: path), plugin == nil || plugin == found else {
        continue
      }
      // A recorded address is a return address; the call is just before it.
      let offset = UInt(bitPattern: address) - UInt(bitPattern: base) - 1
      return (found, Place(path: path, offset: offset))
    }
    return nil
  }

  /// A place in a library's file.
  struct Place {
    let path: String
    /// The offset from the library's load address, in bytes.
    let offset: UInt
  }
}
