import Foundation
import Testing

@testable import PluginHost

@Suite("ELFFile")
struct ELFFileTests {
  /// The libraries that this process has loaded: real ones, by several linkers.
  static let loadedLibraries: [String] = {
    // Not `String(contentsOfFile:)`, which takes the size from `stat`, and here that is 0.
    let data = FileHandle(forReadingAtPath: "/proc/self/maps")?.readDataToEndOfFile() ?? Data()
    let maps = String(decoding: data, as: UTF8.self)
    let paths = maps.split(separator: "\n").compactMap { line in
      line.firstIndex(of: "/").map { String(line[$0...]) }
    }
    return Set(
      paths.filter {
        $0.contains(".so") && !$0.contains("appcore-tests") && !$0.hasSuffix(" (deleted)")
      }
    ).sorted()
  }()

  @Test("Every library that the loader has taken is read without complaint")
  func readsLoadedLibraries() throws {
    #expect(Self.loadedLibraries.contains { $0.hasSuffix("/libAppCore.so") })
    #expect(Self.loadedLibraries.contains { $0.contains("/libc.so") })
    for path in Self.loadedLibraries {
      // These two are linked as executables too, and are marked so.
      if path.contains("/ld-linux") { continue }
      #expect(throws: Never.self, "\(path)") { try PluginFile(path: path) }
    }
  }
}
