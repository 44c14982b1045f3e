internal import Glibc
internal import Navigation

/// A thread's call stack at the time when a signal interrupted it.
///
/// A signal handler records the addresses in preallocated memory, and another thread looks them up.
/// The memory is never freed, so only what is recorded into has any.
struct CallTrace: @unchecked Sendable {
  // Unchecked: written in the signal handler, and read while the interrupted thread is stopped.
  private static let limit = 128
  private let addresses: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
  private var count = 0

  // `backtrace` and `dladdr`, which Swift's Glibc module does not export.
  private typealias Backtrace =
    @convention(c) (UnsafeMutablePointer<UnsafeMutableRawPointer?>, Int32) -> Int32
  private typealias Describe =
    @convention(c) (UnsafeRawPointer?, UnsafeMutablePointer<UnsafeRawPointer?>) -> Int32
  private static let backtrace = dlsym(nil, "backtrace").map {
    unsafeBitCast($0, to: Backtrace.self)
  }
  private static let describe = dlsym(nil, "dladdr").map {
    unsafeBitCast($0, to: Describe.self)
  }

  /// Creates a trace that stays empty.
  init() { addresses = nil }

  /// Creates a trace to record into.
  ///
  /// It allocates the memory, and calls `backtrace` once: its first call loads the unwinder, which a
  /// signal handler must not do.
  static func recordable() -> CallTrace {
    let addresses = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: limit)
    addresses.initialize(repeating: nil, count: limit)
    _ = backtrace?(addresses, Int32(limit))
    _ = describe
    return CallTrace(addresses)
  }

  private init(_ addresses: UnsafeMutablePointer<UnsafeMutableRawPointer?>) {
    self.addresses = addresses
  }

  /// Records the calling thread's call stack; callable in a signal handler.
  mutating func capture() {
    guard let addresses else { return }
    count = Int(Self.backtrace?(addresses, Int32(Self.limit)) ?? 0)
  }

  /// Discards the recorded calls.
  mutating func clear() { count = 0 }

  /// The innermost call in a plugin's file, with the plugin's name; `nil` if there is none.
  ///
  /// Only calls in the files of `plugin` are searched for, or if it is `nil`, those of any plugin.
  func pluginPlace(of plugin: String?) -> (plugin: String, place: Place)? {
    for index in 0..<count {
      guard let address = addresses?[index], let describe = Self.describe else { continue }
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
