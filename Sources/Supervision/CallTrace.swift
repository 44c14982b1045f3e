internal import Navigation
internal import PluginHost

/// A thread's call stack at the time when a signal interrupted it.
///
/// A signal handler records the addresses in preallocated memory, and another thread looks them up.
/// The memory is never freed, so only what is recorded into has any.
struct CallTrace: @unchecked Sendable {
  // Unchecked: written in the signal handler, and read while the interrupted thread is stopped.
  /// A place in a library's file: the offset from the library's load address, in bytes.
  typealias Place = (path: String, offset: UInt)

  private static let limit = 128
  private let addresses: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
  private var count = 0

  /// Creates a trace that stays empty.
  init() { addresses = nil }

  /// Creates a trace to record into.
  ///
  /// It allocates the memory, and calls `backtrace` once: its first call loads the unwinder, which a
  /// signal handler must not do.
  static func recordable() -> CallTrace {
    let addresses = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: limit)
    addresses.initialize(repeating: nil, count: limit)
    _ = GNUFunctions.backtrace?(addresses, Int32(limit))
    _ = GNUFunctions.object(at: addresses)
    return CallTrace(addresses)
  }

  private init(_ addresses: UnsafeMutablePointer<UnsafeMutableRawPointer?>) {
    self.addresses = addresses
  }

  /// Records the calling thread's call stack; callable in a signal handler.
  mutating func capture() {
    guard let addresses else { return }
    count = Int(GNUFunctions.backtrace?(addresses, Int32(Self.limit)) ?? 0)
  }

  mutating func clear() { count = 0 }

  /// The innermost call in a plugin's own file, with the plugin's name; if there is none, the
  /// innermost in a library that a plugin brings along, or `nil`.
  ///
  /// A trap is in Swift's library where an index is out of range, and in the plugin one call further
  /// out.
  ///
  /// Only calls in the files of `plugin` are searched for, or if it is `nil`, those of any plugin.
  func pluginPlace(of plugin: String?) -> (plugin: String, place: Place)? {
    var inLibrary: (plugin: String, place: Place)?
    for index in 0..<count {
      guard let file = file(at: index) else { continue }
      guard let found = PluginFiles.plugin(ofFile: file.path),
        plugin == nil || plugin == found.name
      else { continue }
      let place = (file.path, offset(of: index, from: file.base))
      if found.isOwn { return (found.name, place) }
      inLibrary = inLibrary ?? (found.name, place)
    }
    return inLibrary
  }

  /// The index of the call that the signal has interrupted; 0 if there is none.
  ///
  /// The calls of the handler come first, and behind them is the function of the C library to which
  /// it returns.
  private var interrupted: Int {
    guard let handler = file(at: 0)?.path,
      let end = (0..<count).first(where: { file(at: $0)?.path != handler })
    else { return 0 }
    return end + 1
  }

  /// The offset of a call in its file: of an interrupted one, of the instruction itself; of others,
  /// just before the address to which they return.
  private func offset(of index: Int, from base: UInt) -> UInt {
    UInt(bitPattern: addresses?[index]) - base - (index == interrupted ? 0 : 1)
  }

  private static let lineLimit = 24

  /// The innermost calls, a line each: the file, the offset, and the mangled name of the function.
  ///
  /// The calls of the signal handler are left out. Functions of a plugin have no name: only exported
  /// ones would be found, and the nearest of them is another function.
  var lines: [String] {
    let first = interrupted
    guard first > 0, first < count else { return [] }
    return (first..<min(count, first + Self.lineLimit)).compactMap { index in
      guard let file = file(at: index) else { return nil }
      let owner = PluginFiles.plugin(ofFile: file.path)
      let isOwn = owner?.isOwn == true
      let name = isOwn ? owner.map { "lib\($0.name).so" } : nil
      let symbol = isOwn ? "" : file.symbol.map { " " + $0 } ?? ""
      let offset = offset(of: index, from: file.base)
      return "\(name ?? file.path.split(separator: "/").last.map(String.init) ?? file.path)"
        + "+0x\(String(offset, radix: 16))\(symbol)"
    }
  }

  /// The file that a call is in, its load address, and the nearest exported symbol.
  private func file(at index: Int) -> (path: String, base: UInt, symbol: String?)? {
    addresses?[index].flatMap { GNUFunctions.object(at: $0) }
  }
}
