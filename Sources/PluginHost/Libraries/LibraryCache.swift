internal import Glibc

/// The loader's own list of the libraries of the system, `/etc/ld.so.cache`.
struct LibraryCache {
  /// The path of each library, by the name under which it is needed.
  private let paths: [String: String]

  /// Reads the list; it is empty if there is none in the format of glibc 2.32 and later.
  init(_ path: String = "/etc/ld.so.cache") {
    guard let (buffer, _) = try? FileReader(path: path, sizeLimit: 64 << 20).readAny() else {
      paths = [:]
      return
    }
    defer { buffer.deallocate() }
    paths = Self.read(UnsafeRawBufferPointer(buffer))
  }

  /// The flags of an entry for programs of this machine.
  #if arch(x86_64)
    static let hostFlags = 0x0303
  #elseif arch(arm64)
    static let hostFlags = 0x0a03
  #endif

  /// Parses the list from bytes that may be anything.
  static func read(_ bytes: UnsafeRawBufferPointer) -> [String: String] {
    guard bytes.starts(with: "glibc-ld.so.cache1.1".utf8), bytes.count >= 48 else { return [:] }
    func number(_ offset: Int) -> Int {
      Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    }
    func string(_ offset: Int) -> String? {
      guard offset < bytes.count else { return nil }
      let rest = UnsafeRawBufferPointer(rebasing: bytes[offset...])
      guard let end = rest.firstIndex(of: 0) else { return nil }
      return String(decoding: rest[..<end], as: UTF8.self)
    }
    var paths: [String: String] = [:]
    let (header, size) = (48, 24)
    for index in 0..<min(number(20), (bytes.count - header) / size) {
      let entry = header + index * size
      // Entries for a particular kind of processor, which only the loader knows, have bits here.
      guard number(entry) == hostFlags, number(entry + 16) == 0, number(entry + 20) == 0,
        let name = string(number(entry + 4)), let path = string(number(entry + 8)),
        paths[name] == nil
      else { continue }
      paths[name] = path
    }
    return paths
  }

  func path(of library: String) -> String? {
    paths[library].flatMap { PluginFile.identity(of: $0) == nil ? nil : $0 }
  }
}
