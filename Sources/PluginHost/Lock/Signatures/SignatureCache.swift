internal import Support

/// The signatures that were verified, one file for each, in a folder that only this user can write
/// to.
struct SignatureCache: Sendable {
  private static let kept = 64
  private static let mark: UInt64 = 0x3147_4953_5043_5041  // "APCPSIG1", the lowest byte first

  private let folder: PrivateFolder

  /// Opens `appcore/signatures` in the user's cache; `nil` where there is no such folder.
  init?(_ environment: [String: String]) {
    guard let base = PrivateFolder.cache(environment),
      let folder = PrivateFolder(base + "/signatures")
    else { return nil }
    self.folder = folder
  }

  /// The time of a verification, in seconds since 1970, and the signer; `nil` if there was none.
  func known(_ key: SHA256) -> (time: Int64, signer: String)? {
    guard let bytes = folder.bytes(of: "\(key)", limit: 4096) else { return nil }
    var reader = ByteReader(bytes)
    guard reader.word() == Self.mark, reader.digest() == key, let time = reader.word(),
      let signer = reader.string(), reader.isAtEnd
    else { return nil }
    return (Int64(clamping: time), signer)
  }

  func remember(_ key: SHA256, _ time: Int64, _ signer: String) {
    var writer = ByteWriter()
    writer.word(Self.mark)
    writer.digest(key)
    writer.word(UInt64(clamping: time))
    writer.string(signer)
    folder.replace("\(key)", with: writer.bytes)
    folder.removeOldest(keeping: Self.kept)
  }
}
