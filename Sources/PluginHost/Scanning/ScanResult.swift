internal import Support

/// The result of a scan that the plugin itself is responsible for: kept until its files change.
enum ScanResult: Hashable {
  /// The plugin's encoded description of itself.
  case answer([UInt8])
  /// Why it is in quarantine.
  case quarantine(Rejection)
}

extension ByteWriter {
  mutating func scanResult(_ scanResult: ScanResult) {
    switch scanResult {
    case .answer(let bytes):
      byte(0)
      data(bytes)
    case .quarantine(let cause):
      byte(1)
      string(cause.code)
      string(cause.message)
      word(UInt64(cause.details.count))
      for detail in cause.details { string(detail) }
    }
  }
}

extension ByteReader {
  mutating func scanResult() -> ScanResult? {
    switch byte() {
    case 0: return data().map { .answer(Array($0)) }
    case 1:
      guard let code = string(), let message = string(), let count = word(),
        let rule = (Rule.scanRules + [.pluginRegistration]).first(where: { $0.code == code })
      else { return nil }
      var details: [String] = []
      for _ in 0..<count {
        guard let detail = string() else { return nil }
        details.append(detail)
      }
      return .quarantine(Rejection(rule, message, details: details))
    default: return nil
    }
  }
}
