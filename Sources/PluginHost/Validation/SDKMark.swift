/// The mark that the SDK leaves in every plugin that is compiled against it: its version.
///
/// It is a string among the plugin's constants, such as `appcore.sdk.version=0.2.0`, and only shown
/// to people: compatibility depends on the ``Contract`` and on the symbols that the host has.
enum SDKMark {
  private static let label: StaticString = "appcore.sdk.version="
  private static let limit = 32

  /// The version in a file's bytes; `nil` if there is no mark.
  ///
  /// - Complexity: O(*n*), where *n* is the size of the file.
  static func version(in bytes: UnsafeRawBufferPointer) -> String? {
    var rest = bytes[...]
    while let offset = GNUFunctions.offset(of: label, in: UnsafeRawBufferPointer(rebasing: rest)) {
      rest = rest.dropFirst(offset + label.utf8CodeUnitCount)
      let version = rest.prefix { isVersionCharacter($0) }
      if version.count <= limit, version.first.map(isDigit) == true {
        return String(decoding: version, as: UTF8.self)
      }
    }
    return nil
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func isVersionCharacter(_ byte: UInt8) -> Bool {
    isDigit(byte) || byte == 0x2d || byte == 0x2e || (0x61...0x7a).contains(byte | 0x20)
  }
}
