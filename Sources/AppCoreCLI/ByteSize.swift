internal import ArgumentParser

/// An amount of memory on the command line: bytes, or with `K`, `M` or `G` that many KiB, MiB or GiB.
struct ByteSize: ExpressibleByArgument, Hashable {
  /// The least that is of use: an app without plugins takes more.
  private static let least = 1 << 20

  let bytes: Int

  init?(argument: String) {
    var digits = argument[...]
    var shift = 0
    if let last = argument.last?.uppercased(), let index = ["K", "M", "G"].firstIndex(of: last) {
      digits = argument.dropLast()
      shift = 10 * (index + 1)
    }
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int(digits) else {
      return nil
    }
    let (bytes, overflow) = count.multipliedReportingOverflow(by: 1 << shift)
    guard !overflow, bytes >= Self.least else { return nil }
    self.bytes = bytes
  }
}
