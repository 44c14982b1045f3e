internal import Glibc
internal import Support

/// Compares the resident memory of a worker with a limit.
///
/// A limit of the address space would not work, because the app's thread reserves 1 GiB of it for
/// its stack.
struct MemoryWatch {
  /// How many bytes the worker may use.
  let limit: Int
  private let path: String
  private let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))

  init(limit: Int, of worker: pid_t) {
    self.limit = limit
    path = "/proc/\(worker)/statm"
  }

  /// Whether the worker uses more memory than the limit now.
  var isExceeded: Bool { resident > limit }

  /// The worker's resident memory in bytes; 0 if it can't be read.
  private var resident: Int {
    // The first field is the total size in pages, the second the resident size.
    let fields = (try? WholeFile.read(path))?.split(separator: UInt8(ascii: " ")) ?? []
    guard fields.count > 1 else { return 0 }
    return fields[1].reduce(0) { $0 &* 10 &+ Int($1) &- 48 } &* pageSize
  }

  /// A number of bytes in its largest integral unit, such as `300 MiB`.
  static func words(_ bytes: Int) -> String {
    for (name, bits) in [("GiB", 30), ("MiB", 20), ("KiB", 10)] where bytes % (1 << bits) == 0 {
      return "\(bytes >> bits) \(name)"
    }
    return "\(bytes) bytes"
  }
}
