internal import Glibc

/// The folders that the loader searches for any library of this process, as it reports them itself.
struct LoaderSearchPath: Sendable {
  /// The folders of the executable's `DT_RPATH`, which applies to libraries without a `DT_RUNPATH`.
  private(set) var executable: [SearchElement] = []
  /// The folders of `LD_LIBRARY_PATH`, as it was when the process started.
  private(set) var environment: [SearchElement] = []
  /// The folders of the system, which come last.
  private(set) var system: [SearchElement] = []

  /// The search path of this process; the loader reads its variables once.
  static let shared = LoaderSearchPath()

  /// Requests of `dlinfo`, and flags in its answer, which are GNU extensions.
  private enum Info {
    static let linkMap: Int32 = 2
    static let paths: Int32 = 4
    static let pathsSize: Int32 = 5
    static let isEnvironment: UInt32 = 0x02
    static let isRunpath: UInt32 = 0x04
    static let isDefault: UInt32 = 0x40
  }

  private init() {
    guard let handle = dlopen(nil, RTLD_LAZY), let describe = GNUFunctions.loaderInfo else {
      return
    }
    let hasRPath = Self.hasRPath(handle, describe)
    // `Dl_serinfo`: its size, a count, and for each path a pointer and flags.
    var head: (size: UInt, count: UInt) = (0, 0)
    guard describe(handle, Info.pathsSize, &head) == 0, head.size >= 16 else { return }
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Int(head.size), alignment: 16)
    defer { buffer.deallocate() }
    buffer.storeBytes(of: head.size, as: UInt.self)
    buffer.storeBytes(of: UInt32(truncatingIfNeeded: head.count), toByteOffset: 8, as: UInt32.self)
    guard let start = buffer.baseAddress, describe(handle, Info.paths, start) == 0 else { return }
    for index in 0..<Int(buffer.load(fromByteOffset: 8, as: UInt32.self)) {
      let entry = 16 + index * 16
      guard entry + 16 <= buffer.count,
        let name = buffer.load(fromByteOffset: entry, as: UnsafePointer<CChar>?.self)
      else { return }
      let element = SearchElement(folder: String(cString: name))
      switch buffer.load(fromByteOffset: entry + 8, as: UInt32.self) & 0x7f {
      case Info.isEnvironment: environment.append(element)
      case Info.isDefault: system.append(element)
      // The executable's own `DT_RUNPATH` is only for libraries that it needs itself.
      case Info.isRunpath where hasRPath: executable.append(element)
      default: break
      }
    }
  }

  /// Whether the executable has a `DT_RPATH`, and no `DT_RUNPATH`, which would override it.
  private static func hasRPath(
    _ handle: UnsafeMutableRawPointer, _ describe: GNUFunctions.LoaderInfo
  ) -> Bool {
    var map: UnsafeRawPointer?
    guard describe(handle, Info.linkMap, &map) == 0,
      // `link_map`: an address, a name, and the dynamic section.
      var entry = map?.load(fromByteOffset: 16, as: UnsafeRawPointer?.self)
    else { return false }
    var tags: Set<UInt64> = []
    while case let tag = entry.load(as: UInt64.self), tag != ELFConstants.Tag.null {
      tags.insert(tag)
      entry += Int(ELFConstants.dynamicEntrySize)
    }
    return tags.contains(ELFConstants.Tag.rpath) && !tags.contains(ELFConstants.Tag.runpath)
  }
}
