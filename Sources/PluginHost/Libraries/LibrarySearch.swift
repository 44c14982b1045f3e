internal import Glibc
internal import Support

/// Where the loader looks for the libraries that one file needs, in its order; see ld.so(8).
///
/// 1. If the file has no `DT_RUNPATH`: its `DT_RPATH`, those of the files that need it, and the
///    executable's;
/// 2. `LD_LIBRARY_PATH`;
/// 3. the file's `DT_RUNPATH`;
/// 4. `/etc/ld.so.cache`;
/// 5. the folders of the system.
///
/// Subfolders for kinds of processors (`glibc-hwcaps`) are skipped: the loader is given the path of
/// the file that is found here, so that it does not search.
package struct LibrarySearch {
  /// Steps 1 to 3.
  private let elements: [Element]
  /// The elements of a `DT_RPATH`, which are also searched for what this file's libraries need.
  let inherited: [Element]
  private let list: LoaderList

  /// Creates the search for what a file needs; searches for the files of one plugin share the loader's
  /// list.
  ///
  /// - Throws: an element of the search path that is refused.
  init(
    for file: PluginFile, inheriting inherited: [Element] = [], _ list: LoaderList = LoaderList()
  ) throws(Rejection) {
    self.list = list
    let origin = FilePath.folder(of: file.path)
    var own: [Element] = []
    for text in file.metadata.runpath { own.append(try Element(text, origin: origin)) }
    let process = Self.process
    if file.metadata.hasRunpath {
      elements = process.environment + own
      self.inherited = []
    } else {
      self.inherited = own + inherited
      elements = self.inherited + process.executable + process.environment
    }
  }

  /// Looks for a library.
  ///
  /// - Returns: where it is, and the paths that have no file but are searched before. The element is
  ///   `nil` for a library of the system.
  func find(_ library: String) -> (found: (path: String, Element?)?, absent: [String]) {
    var absent: [String] = []
    for element in elements {
      let path = element.path(of: library)
      guard PluginFile.identity(of: path) != nil else {
        absent.append(path)
        continue
      }
      return ((path, Self.systemFolders.contains(element.folder) ? nil : element), absent)
    }
    return (Self.systemPath(of: library, in: list).map { ($0, nil) }, absent)
  }

  /// Where a library is that any program finds; `nil` where there is none of the name.
  package static func systemPath(
    of library: String, in list: LoaderList = LoaderList()
  ) -> String? {
    if let path = list.path(of: library) { return path }
    return process.system.lazy.map { $0.path(of: library) }
      .first { PluginFile.identity(of: $0) != nil }
  }

  /// One folder in which the loader looks for a library.
  struct Element: Sendable {
    /// The absolute path of the folder, or one relative to the current folder.
    let folder: String
    /// Whether it is `$ORIGIN` itself, which is another folder for a copy.
    let isOrigin: Bool

    /// Creates an element that leads to one folder, without tokens.
    fileprivate init(folder: String) {
      self.folder = folder
      isOrigin = false
    }

    /// Reads an element of a `DT_RUNPATH` or `DT_RPATH`.
    ///
    /// - Throws: why it is not known beforehand which folder it leads to.
    fileprivate init(_ text: String, origin: String) throws(Rejection) {
      // The loader treats an empty element as the current folder.
      guard !text.isEmpty else { throw .relativeSearchPath(text) }
      folder = Self.trimmed(try LibrarySearch.expand(text, origin: origin))
      isOrigin = ["$ORIGIN", "${ORIGIN}"].contains(Self.trimmed(text))
      guard text.hasPrefix("/") || folder.hasPrefix(origin) && text.hasPrefix("$") else {
        throw .relativeSearchPath(text)
      }
    }

    /// Without slashes at the end, as in glibc.
    private static func trimmed(_ path: String) -> String {
      var path = path[...]
      while path.count > 1, path.hasSuffix("/") { path = path.dropLast() }
      return String(path)
    }

    func path(of library: String) -> String {
      folder.hasSuffix("/") ? folder + library : folder + "/" + library
    }
  }

  /// Replaces the tokens `$ORIGIN`, `$LIB` and `$PLATFORM` in a path of an ELF file; names that only
  /// begin like a token stay as they are.
  ///
  /// - Throws: for `$LIB` and `$PLATFORM`, which each system's loader expands differently.
  static func expand(_ text: String, origin: String) throws(Rejection) -> String {
    var result = ""
    var rest = text[...]
    while let dollar = rest.firstIndex(of: "$") {
      result += rest[..<dollar]
      rest = rest[rest.index(after: dollar)...]
      // As in glibc, a name ends at the first character that is none of an identifier.
      let isBraced = rest.hasPrefix("{")
      let name = Substring(
        rest.utf8.dropFirst(isBraced ? 1 : 0).prefix(while: PluginLocator.isNameByte))
      let next = rest[name.endIndex...]
      guard ["ORIGIN", "LIB", "PLATFORM"].contains(name), !isBraced || next.hasPrefix("}") else {
        result += "$"
        continue
      }
      guard name == "ORIGIN" else {
        throw Rejection(
          .pluginSearchPath,
          "it searches for libraries at '\(text)', and each system reads '$\(name)' in its own way")
      }
      result += origin
      rest = next.dropFirst(isBraced ? 1 : 0)
    }
    return result + rest
  }
}

// Folders and libraries of this process and this machine.
extension LibrarySearch {
  /// The folders of the system's libraries and of the Swift runtime that this process uses.
  ///
  /// No plugin is installed there, so libraries from there are not read: Foundation and its data are
  /// 50 MB.
  static let systemFolders: Set<String> = {
    var folders: Set<String> = ["/lib", "/usr/lib", "/lib64", "/usr/lib64"]
    folders.formUnion(process.system.map(\.folder))
    // One function of each library whose folder is wanted.
    for symbol in ["swift_retain", "getpid"] {
      if let folder = PluginLocator.libraryFolder(defining: symbol) { folders.insert(folder) }
    }
    return folders
  }()

  /// The folders that the loader searches for any library of this process, as it reports them
  /// itself: those of the executable's `DT_RPATH`, which applies to libraries without a
  /// `DT_RUNPATH`; those of `LD_LIBRARY_PATH`, as it was when the process started; and those of the
  /// system, which come last.
  private static let process: (executable: [Element], environment: [Element], system: [Element]) = {
    var (executable, environment, system): ([Element], [Element], [Element]) = ([], [], [])
    // Requests of `dlinfo`, a GNU extension.
    let (paths, pathsSize): (Int32, Int32) = (4, 5)
    guard let handle = dlopen(nil, RTLD_LAZY), let describe = GNUFunctions.loaderInfo else {
      return ([], [], [])
    }
    // `Dl_serinfo`: its size, a count, and for each path a pointer and flags.
    var head: (size: UInt, count: UInt) = (0, 0)
    guard describe(handle, pathsSize, &head) == 0, head.size >= 16 else { return ([], [], []) }
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Int(head.size), alignment: 16)
    defer { buffer.deallocate() }
    buffer.storeBytes(of: head.size, as: UInt.self)
    buffer.storeBytes(of: UInt32(truncatingIfNeeded: head.count), toByteOffset: 8, as: UInt32.self)
    guard let start = buffer.baseAddress, describe(handle, paths, start) == 0 else {
      return ([], [], [])
    }
    let hasRPath = isRPathUsed(handle, describe)
    for index in 0..<Int(buffer.load(fromByteOffset: 8, as: UInt32.self)) {
      let entry = 16 + index * 16
      guard entry + 16 <= buffer.count,
        let name = buffer.load(fromByteOffset: entry, as: UnsafePointer<CChar>?.self)
      else { break }
      let element = Element(folder: String(cString: name))
      switch buffer.load(fromByteOffset: entry + 8, as: UInt32.self) & 0x7f {
      case 0x02: environment.append(element)
      // The executable's own `DT_RUNPATH` is only for libraries that it needs itself.
      case 0x04 where hasRPath: executable.append(element)
      case 0x40: system.append(element)
      default: break
      }
    }
    return (executable, environment, system)
  }()

  /// Whether the executable has a `DT_RPATH`, and no `DT_RUNPATH`, which would override it.
  private static func isRPathUsed(
    _ handle: UnsafeMutableRawPointer, _ describe: GNUFunctions.LoaderInfo
  ) -> Bool {
    let linkMap: Int32 = 2
    var map: UnsafeRawPointer?
    guard describe(handle, linkMap, &map) == 0,
      // `link_map`: an address, a name, and the dynamic section.
      var entry = map?.load(fromByteOffset: 16, as: UnsafeRawPointer?.self)
    else { return false }
    var tags: Set<UInt64> = []
    while case let tag = entry.load(as: UInt64.self), tag != ELFFile.Tag.null {
      tags.insert(tag)
      entry += 16
    }
    return tags.contains(ELFFile.Tag.rpath) && !tags.contains(ELFFile.Tag.runpath)
  }

  /// The path of a library in a subfolder that the loader searches before the folder itself, for a
  /// kind of processor; `nil` if there is none.
  ///
  /// Each version of glibc and each processor uses some of them. Here all of them count.
  ///
  /// - Complexity: some system calls for each subfolder that exists.
  static func processorPath(of library: String, in folder: String) -> String? {
    let capabilities = folder + "/glibc-hwcaps"
    let names = (FilePath.names(in: capabilities) ?? []).sorted()
    return names.lazy.map { "\(capabilities)/\($0)/\(library)" }
      .first { PluginFile.identity(of: $0) != nil }
      ?? formerProcessorPath(of: library, in: folder, depth: 4)
  }

  /// The same in the subfolders that glibc used before 2.37; it combines at most four of the names.
  private static func formerProcessorPath(
    of library: String, in folder: String, depth: Int
  ) -> String? {
    guard depth > 0 else { return nil }
    for name in ["aarch64", "atomics", "avx512_1", "haswell", "tls", "x86_64", "xeon_phi"] {
      let inner = folder + "/" + name
      guard PluginFile.identity(of: inner) != nil else { continue }
      let path = inner + "/" + library
      if PluginFile.identity(of: path) != nil { return path }
      if let path = formerProcessorPath(of: library, in: inner, depth: depth - 1) { return path }
    }
    return nil
  }
}

/// The loader's own list of libraries, `/etc/ld.so.cache`, which is read when it is first needed.
package final class LoaderList {
  private lazy var bytes = (try? WholeFile.read("/etc/ld.so.cache", limit: 64 << 20)) ?? []

  package init() {}

  /// The path of a library; `nil` if it is not there, or there is no list in the format of glibc 2.32
  /// and later.
  func path(of library: String) -> String? {
    bytes.withUnsafeBytes { Self.path(of: library, in: $0) }
      .flatMap { PluginFile.identity(of: $0) == nil ? nil : $0 }
  }

  /// Looks in a list, whose bytes may be anything.
  private static func path(of library: String, in bytes: UnsafeRawBufferPointer) -> String? {
    #if arch(x86_64)
      let hostFlags = 0x0303
    #elseif arch(arm64)
      let hostFlags = 0x0a03
    #endif
    let (header, size) = (48, 24)
    guard bytes.starts(with: "glibc-ld.so.cache1.1".utf8), bytes.count >= header else { return nil }
    func number(_ offset: Int) -> Int {
      Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    }
    let name = Array(library.utf8) + [0]
    for index in 0..<min(number(20), (bytes.count - header) / size) {
      let entry = header + index * size
      // Entries for a particular kind of processor, which only the loader knows, have bits here.
      guard number(entry) == hostFlags, number(entry + 16) == 0, number(entry + 20) == 0,
        bytes.dropFirst(number(entry + 4)).starts(with: name)
      else { continue }
      let path = bytes.dropFirst(number(entry + 8))
      return path.firstIndex(of: 0).map { String(decoding: path[..<$0], as: UTF8.self) }
    }
    return nil
  }
}

extension Rejection {
  /// An element of the search path leads to the current folder, or is relative to it.
  static func relativeSearchPath(_ element: String) -> Rejection {
    Rejection(
      .pluginSearchPath,
      element.isEmpty
        ? "its search path for libraries has an empty element, which is the current folder"
        : "it searches for libraries at '\(element)', which depends on the current folder")
  }
}
