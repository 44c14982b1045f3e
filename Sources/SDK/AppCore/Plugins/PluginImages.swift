internal import Glibc
internal import Synchronization

/// Maps images (shared libraries, or the program) to the plugins whose code they contain.
///
/// `#dsohandle` at the use of a key is the image of the plugin that uses it, in a reducer as in an
/// effect, and code without keys pays nothing for it. Another build of a plugin is another image of
/// the same plugin.
@usableFromInline
enum PluginImages {
  private static let plugins = Mutex<[UInt: String]>([:])

  @usableFromInline
  static func register(_ image: UnsafeRawPointer, as plugin: String) {
    // Plugins that are linked into the program, as in tests, share its image.
    guard base(of: image) != program else { return }
    plugins.withLock { $0[UInt(bitPattern: image)] = plugin }
  }

  /// The base address of the program.
  private static let program: UInt? = {
    typealias Function = @convention(c) (_ type: UInt) -> UInt
    guard let function = dlsym(nil, "getauxval") else { return nil }
    // AT_ENTRY: the program's entry point.
    let entry = unsafeBitCast(function, to: Function.self)(9)
    return UnsafeRawPointer(bitPattern: entry).flatMap(base)
  }()

  /// The base address of the image that contains an address.
  private static func base(of address: UnsafeRawPointer) -> UInt? {
    // Swift's Glibc exports neither these functions nor `Dl_info`. Its fields: the name and base of
    // the image, the name and address of a symbol.
    typealias Function = @convention(c) (UnsafeRawPointer, UnsafeMutablePointer<UInt>) -> Int32
    guard let function = dlsym(nil, "dladdr") else { return nil }
    var info: [UInt] = [0, 0, 0, 0]
    return unsafeBitCast(function, to: Function.self)(address, &info) == 0 ? nil : info[1]
  }

  /// The plugin whose code is in an image; empty for the program and what is linked into it.
  static func plugin(of image: UInt) -> String {
    plugins.withLock { $0[image] ?? "" }
  }
}
