/// The keys of the grammar.
enum Keyword: String, CaseIterable, Sendable {
  case appcore, name, title, vars, include, plugins, start, nodes, routes, links, background
  case session, requires
  case `default`, env
  case path, version, load, with
  case feature, tabs, maxDepth, was, node
  case from, action, `do`
  case push, present, replace, select, popTo, reset, notify, back, dismiss, ignore
  case `as`, toAll, inclusive, singleTop, ifCovered
  case open, needs
  case keep

  /// The keyword that some bytes spell.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let packed = Packed(bytes), let keyword = Self.table.keyword(of: packed) else {
      return nil
    }
    self = keyword
  }

  /// The verb of the same word.
  var verb: Verb? {
    switch self {
    case .push: .push
    case .present: .present
    case .replace: .replace
    case .select: .select
    case .popTo: .popTo
    case .reset: .reset
    case .notify: .notify
    case .back: .back
    case .dismiss: .dismiss
    case .ignore: .ignore
    default: nil
    }
  }

  private static let table = Table()
}

extension Keyword {
  /// Up to 15 bytes and their number, to be compared at once.
  private struct Packed: Equatable {
    var low: UInt64 = 0
    var high: UInt64 = 0

    init?(_ bytes: some Collection<UInt8>) {
      guard bytes.count <= 15 else { return nil }
      high = UInt64(bytes.count) << 56
      var shift: UInt64 = 0
      for byte in bytes {
        if shift < 64 { low |= UInt64(byte) << shift } else { high |= UInt64(byte) << (shift - 64) }
        shift += 8
      }
    }

    var slot: Int { Int(truncatingIfNeeded: ((low ^ high) &* 0x9E37_79B9_7F4A_7C15) >> 56) }
  }

  /// An open table: a key is compared with one keyword, seldom with more.
  private struct Table {
    private var slots: [(packed: Packed, keyword: Keyword)?] = Array(repeating: nil, count: 256)

    init() {
      for keyword in Keyword.allCases {
        guard let packed = Packed(keyword.rawValue.utf8) else { continue }
        var slot = packed.slot
        while slots[slot] != nil { slot = (slot + 1) & 255 }
        slots[slot] = (packed, keyword)
      }
    }

    func keyword(of packed: Packed) -> Keyword? {
      var slot = packed.slot
      while let entry = slots[slot] {
        if entry.packed == packed { return entry.keyword }
        slot = (slot + 1) & 255
      }
      return nil
    }
  }
}
