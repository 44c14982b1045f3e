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
struct LibrarySearch {
  /// Steps 1 to 3.
  private let elements: [SearchElement]
  /// The elements of a `DT_RPATH`, which are also searched for what this file's libraries need.
  let inherited: [SearchElement]
  private let cache: LibraryCache

  /// - Throws: an element of the search path that is refused.
  init(
    for file: PluginFile, inheriting inherited: [SearchElement] = [], cache: LibraryCache
  ) throws(Rejection) {
    self.cache = cache
    let origin = FilePath.folder(of: file.path)
    var own: [SearchElement] = []
    for text in file.metadata.runpath { own.append(try SearchElement(text, origin: origin)) }
    let process = LoaderSearchPath.shared
    switch file.metadata.searchKind {
    case .runpath:
      elements = process.environment + own
      self.inherited = []
    case .rpath:
      self.inherited = own + inherited
      elements = self.inherited + process.executable + process.environment
    }
  }

  enum Result {
    case system(path: String)
    /// A file in the folder of this element, which is not one of the system's.
    case file(path: String, SearchElement)
    case nowhere
  }

  /// Looks for a library.
  ///
  /// - Returns: where it is, and the paths that have no file but are searched before.
  func find(_ library: String) -> (result: Result, absent: [String]) {
    var absent: [String] = []
    for element in elements {
      let path = element.path(of: library)
      guard PluginFile.identity(of: path) != nil else {
        absent.append(path)
        continue
      }
      let isSystem = SystemFolders.paths.contains(element.folder)
      return (isSystem ? .system(path: path) : .file(path: path, element), absent)
    }
    if let path = cache.path(of: library) { return (.system(path: path), absent) }
    for element in LoaderSearchPath.shared.system {
      let path = element.path(of: library)
      if PluginFile.identity(of: path) != nil { return (.system(path: path), absent) }
    }
    return (.nowhere, absent)
  }
}

/// The folders of the system's libraries and of the Swift runtime that this process uses.
///
/// No plugin is installed there, so libraries from there are not read: Foundation and its data are
/// 50 MB.
enum SystemFolders {
  static let paths: Set<String> = {
    var folders: Set<String> = ["/lib", "/usr/lib", "/lib64", "/usr/lib64"]
    folders.formUnion(LoaderSearchPath.shared.system.map(\.folder))
    // One function of each library whose folder is wanted.
    for symbol in ["swift_retain", "getpid"] {
      if let folder = PluginLocator.libraryFolder(defining: symbol) { folders.insert(folder) }
    }
    return folders
  }()
}
