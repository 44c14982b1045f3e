internal import Diagnostics
internal import Glibc

/// How many mappings of memory the system lets a process have.
///
/// At the limit any allocation may fail, which ends a process; each build of a plugin takes a few, for
/// as long as the process lives.
struct MappingLimit: Sendable {
  /// How many a process may have; `nil` where the system does not say.
  let maximum: Int?

  /// From how many builds on it is looked at: to count the mappings takes longer the more there are.
  private static let fewBuilds = 64

  /// The system's.
  init() { self.init(maximum: Self.text("/proc/sys/vm/max_map_count").flatMap { Int($0) }) }

  init(maximum: Int?) { self.maximum = maximum }

  /// Makes sure that there is room for a plugin, and for what the program needs besides.
  ///
  /// - Complexity: O(mappings), from 64 builds on.
  func check(builds: Int) throws(Rejection) {
    guard builds >= Self.fewBuilds, let maximum else { return }
    let count = Self.count()
    if count > maximum - maximum / 16 {
      throw Rejection.tooManyMappings(count, limit: maximum)
    }
  }

  private static func text(_ path: String) -> String? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 64)
    guard fgets(&line, Int32(line.count), file) != nil else { return nil }
    return String(
      decoding: line.prefix { $0 > 32 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// How many mappings this process has.
  private static func count() -> Int {
    let descriptor = open("/proc/self/maps", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return 0 }
    defer { close(descriptor) }
    var chunk = [UInt8](repeating: 0, count: 65_536)
    var lines = 0
    while case let count = read(descriptor, &chunk, chunk.count), count > 0 {
      lines += chunk[..<count].count { $0 == 0x0a }
    }
    return lines
  }
}
