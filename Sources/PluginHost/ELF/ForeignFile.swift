internal import Glibc

/// The likely kind of a file that is not ELF, guessed from its first bytes.
///
/// It is only used in the message; nothing else depends on it.
enum ForeignFile: String, Hashable, Sendable {
  case text = "a text file"
  case archive = "a static library (ar archive)"
  case compressed = "a compressed file"
  case machO = "a Mach-O file for macOS"
  case portableExecutable = "a Windows executable or DLL"
  case bitcode = "LLVM bitcode"
  case unknown = "not an ELF file"

  init(firstBytes bytes: UnsafeRawBufferPointer) {
    func begins(_ prefix: [UInt8]) -> Bool { bytes.starts(with: prefix) }
    if begins(Array("!<arch>\n".utf8)) || begins(Array("!<thin>\n".utf8)) {
      self = .archive
    } else if begins([0x1f, 0x8b]) || begins([0x50, 0x4b, 3, 4]) || begins([0xfd, 0x37, 0x7a])
      || begins([0x28, 0xb5, 0x2f, 0xfd])
    {
      self = .compressed
    } else if begins([0xcf, 0xfa, 0xed, 0xfe]) || begins([0xca, 0xfe, 0xba, 0xbe]) {
      self = .machO
    } else if begins([0x4d, 0x5a]) {
      self = .portableExecutable
    } else if begins([0x42, 0x43, 0xc0, 0xde]) {
      self = .bitcode
    } else if Self.isText(bytes.prefix(512)) {
      self = .text
    } else {
      self = .unknown
    }
  }

  private static func isText(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
    // The cut at 512 bytes may fall inside a scalar of up to four bytes.
    let cut = bytes.count == 512 ? 3 : 0
    for dropped in 0...cut
    where String(validating: bytes.dropLast(dropped), as: UTF8.self) != nil {
      return bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7f || (0x09...0x0d).contains($0) }
    }
    return false
  }
}
