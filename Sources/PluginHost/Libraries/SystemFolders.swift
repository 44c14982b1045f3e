internal import Glibc

/// The folders of the system's libraries and of the Swift runtime that this process uses.
///
/// No plugin is installed there, so what is needed from there is not read: Foundation and its
/// data are 50 MB.
enum SystemFolders {
  static let paths: Set<String> = {
    var folders: Set<String> = ["/lib", "/usr/lib", "/lib64", "/usr/lib64"]
    folders.formUnion(LoaderSearchPath.shared.system.map(\.folder))
    // One function of each library whose folder is wanted.
    for symbol in ["swift_retain", "getpid"] {
      guard let address = dlsym(nil, symbol), let path = GNUFunctions.library(of: address),
        let slash = path.lastIndex(of: "/")
      else { continue }
      folders.insert(String(path[..<slash]))
    }
    return folders
  }()
}
