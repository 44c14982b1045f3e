internal import Glibc
package import Support

/// Signs locks with `ssh-keygen`, which asks for the key's passphrase itself.
package struct LockSigner: Sendable {
  private let environment: [String: String]

  package init(environment: [String: String]) { self.environment = environment }

  /// Signs a lock.
  ///
  /// - Returns: the bytes of the signature's file.
  /// - Throws: what `ssh-keygen` said.
  package func signature(of lock: [UInt8], key: String) throws(Rejection) -> [UInt8] {
    let tool = SignatureCheck.verifier
    guard access(tool, X_OK) == 0 else {
      throw Rejection(.lockNoVerifier, "the lock can't be signed: there is no '\(tool)'")
    }
    // A key's path may begin with a dash.
    let key = key.hasPrefix("-") ? "./" + key : key
    let process = ToolProcess(
      executable: tool,
      arguments: ["-Y", "sign", "-f", key, "-n", SignatureCheck.namespace],
      environment: environment, files: [lock])
    let (end, output) = process.run()
    let head = "-----BEGIN SSH SIGNATURE-----"
    let tail = "-----END SSH SIGNATURE-----\n"
    guard end == .status(0), let start = output.firstRange(of: head),
      let finish = output.firstRange(of: tail), start.lowerBound < finish.lowerBound
    else {
      let words = output.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("Signing data") }
        .map { Wording.printable(String($0)) }
      throw Rejection(
        .lockSignatureNotMade, "the lock is not signed: " + (words.first ?? "ssh-keygen failed"),
        details: Array(words.dropFirst()))
    }
    return Array(output[start.lowerBound..<finish.upperBound].utf8)
  }
}
