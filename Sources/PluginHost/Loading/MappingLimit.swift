internal import Glibc
internal import Support

/// The system's limit on the number of memory mappings of a process.
///
/// At the limit any allocation may fail, which ends a process; each build of a plugin takes a few,
/// for as long as the process lives.
struct MappingLimit: Sendable {
  /// The limit; `nil` if the system does not tell it.
  let maximum: Int?

  /// The number of builds from which the limit is checked: counting many mappings takes long.
  private static let fewBuilds = 64

  /// The limit of this system.
  init() { self.init(maximum: Self.text("/proc/sys/vm/max_map_count").flatMap { Int($0) }) }

  init(maximum: Int?) { self.maximum = maximum }

  /// Throws if less than 1/16 of the limit is left for another plugin and for the program's own
  /// use.
  ///
  /// - Complexity: O(*n*), where *n* is the number of mappings; O(1) for fewer than 64 builds.
  func check(builds: Int) throws(Rejection) {
    guard builds >= Self.fewBuilds, let maximum else { return }
    let count = Self.count()
    if count > maximum - maximum / 16 {
      throw Rejection(
        .pluginTooManyMappings,
        "the program has \(count) of at most \(maximum) mappings of memory, and a plugin needs "
          + "some")
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
