package import AppCore
package import Navigation

/// Digests of states: equal states have equal digests in every process.
///
/// The hash is not cryptographic: it detects accidents, not forgeries.
package enum StateDigest {
  private static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    var mixed = hash ^ (word &* 0x9e37_79b9_7f4a_7c15)
    mixed = (mixed ^ mixed >> 32) &* 0xd6e8_feb8_6659_fd93
    return mixed ^ mixed >> 29
  }

  private static func digest(_ text: String) -> UInt64 {
    var text = text
    return text.withUTF8 { bytes in
      var hash = mix(0x51, UInt64(bytes.count))
      var position = 0
      let raw = UnsafeRawBufferPointer(bytes)
      while position + 8 <= raw.count {
        let word = raw.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        hash = mix(hash, UInt64(littleEndian: word))
        position += 8
      }
      var rest: UInt64 = 0
      while position < raw.count {
        rest = rest << 8 | UInt64(raw[position])
        position += 1
      }
      return mix(hash, rest)
    }
  }

  /// The digest of a value; the order of an object's fields does not matter.
  package static func digest(_ value: Value) -> UInt64 {
    switch value {
    case .null: return 0x11
    case .bool(let flag): return flag ? 0x23 : 0x25
    case .int(let number): return mix(0x31, UInt64(bitPattern: Int64(number)))
    // JSON has no NaN or infinity; they are written as `null`.
    case .double(let number): return number.isFinite ? mix(0x41, number.bitPattern) : 0x11
    case .string(let text): return digest(text)
    case .array(let values):
      return values.reduce(mix(0x61, UInt64(values.count))) { mix($0, digest($1)) }
    case .object(let fields): return digest(fields)
    @unknown default: return 0x81
    }
  }

  /// The digest of an object's fields, except those with some names.
  static func digest(_ fields: [String: Value], without names: Set<String> = []) -> UInt64 {
    var (sum, count): (UInt64, UInt64) = (0, 0)
    for (name, value) in fields where !names.contains(name) {
      sum &+= mix(digest(name), digest(value))
      count += 1
    }
    return mix(mix(0x71, count), sum)
  }

  /// The digest of an instance.
  ///
  /// The instance has no secrets, and its state is ignored; `shown` is its state without secrets.
  package static func digest(_ instance: SavedInstance, shown: Value?) -> UInt64 {
    var hash = mix(instance.id.number, digest(instance.node))
    hash = mix(hash, digest(instance.placeText))
    hash = mix(hash, instance.selectedTab.map { digest($0) } ?? 1)
    hash = mix(hash, instance.arguments == [:] ? digest(.null) : digest(instance.arguments))
    return mix(hash, shown.map { digest($0) } ?? 2)
  }

  /// The digest of a step.
  ///
  /// `changed` are the digests of the new and changed instances, in the order of their numbers.
  package static func digest(
    changed: [UInt64], removed: [InstanceID], waitingLink: String?
  ) -> UInt64 {
    var hash: UInt64 = 0xa5
    for digest in changed { hash = mix(hash, digest) }
    for id in removed.sorted() { hash = mix(hash, id.number ^ 0x5a5a) }
    return mix(hash, waitingLink.map { digest($0) } ?? 3)
  }
}
