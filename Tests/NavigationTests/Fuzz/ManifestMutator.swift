internal import TestSupport

/// Makes manifests that nobody would write of some that somebody did.
///
/// Most changes keep the structure of the text: lines, indentation, scalars, words of the grammar.
/// The rest are changes of bytes, and bytes alone.
struct ManifestMutator {
  /// The manifests to begin with.
  let seeds: [[UInt8]]
  var random: SplitMix64
  /// The number of changes to each, but for the first.
  var changes = 0...5

  /// What means something to YAML or to the grammar.
  private static let words: [String] =
    [
      "appcore: 1", "include: [a.yaml]", "start", "nodes", "routes", "links", "plugins", "vars",
      "background", "tabs", "feature", "with", "from", "action", "do", "push", "present", "replace",
      "select", "popTo", "reset", "notify", "back", "dismiss", "quit", "ignore", "as", "inclusive",
      "singleTop", "ifCovered", "open", "needs", "path", "maxDepth", "any", "root", "current",
      "presenter", "opener", "over", "cut", "x-a", "$", "$.a", "$.a.b", "$vars.x", "$dir", "$$",
      "{$.a}", "\"{$.a}\"", "{$vars.x", "{$$", "*a", "&a ", "<<: *a", "!!str ", "!x ", "%TAG ! a",
      "---", "...", "? ", ": ", "- ", "[", "]", "{", "}", ",", "# ", " #{$.a}", "|", ">-", "'",
      "\"",
      "\\x41", "\\u0000", "\\$", "yes", "null", "~", "0x1F", "-1", "1e999", "9223372036854775808",
      "\t", "\r\n", "\u{2028}", "\u{85}", "\u{FEFF}", "🙂", "é", "device/{id}?t={t}", "a//b", "%zz",
      ">=1 <2", "n1", "a.b", "P.F",
    ]

  /// The next manifest.
  mutating func next() -> [UInt8] {
    if chance(40) { return (0..<Int.random(in: 0...400, using: &random)).map { _ in byte() } }
    var bytes = seeds.randomElement(using: &random) ?? []
    for _ in 0...Int.random(in: changes, using: &random) {
      if chance(4) { changeBytes(&bytes) } else { changeLines(&bytes) }
    }
    if chance(60) { bytes = utf16(bytes) }
    return bytes
  }

  private mutating func chance(_ count: Int) -> Bool {
    Int.random(in: 0..<count, using: &random) == 0
  }

  private mutating func byte() -> UInt8 { UInt8.random(in: 0...255, using: &random) }

  private mutating func word() -> [UInt8] {
    Array((Self.words.randomElement(using: &random) ?? "").utf8)
  }

  private mutating func changeBytes(_ bytes: inout [UInt8]) {
    guard !bytes.isEmpty else { return bytes = word() }
    let place = Int.random(in: 0..<bytes.count, using: &random)
    let end = min(bytes.count, place + Int.random(in: 1...60, using: &random))
    switch Int.random(in: 0..<7, using: &random) {
    case 0: bytes[place] = byte()
    case 1: bytes[place] ^= 1 << Int.random(in: 0..<8, using: &random)
    case 2: bytes.removeSubrange(place..<end)
    case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
    case 4: bytes.removeSubrange(place...)
    case 5: bytes.insert(contentsOf: word(), at: place)
    default:
      // Long and deep: what takes quadratic time somewhere takes it here.
      let count = Int.random(in: 1...2000, using: &random)
      bytes.insert(contentsOf: Array(repeating: word(), count: count).joined(), at: place)
    }
  }

  private mutating func changeLines(_ bytes: inout [UInt8]) {
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
    let place = Int.random(in: 0..<lines.count, using: &random)
    let other = Int.random(in: 0..<lines.count, using: &random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0: lines.remove(at: place)
    case 1: lines.insert(lines[other], at: place)
    case 2: lines.swapAt(place, other)
    case 3:
      lines[place] =
        Array(repeating: 0x20, count: Int.random(in: 1...4, using: &random)) + lines[place]
    case 4: lines[place] = Array(lines[place].drop { $0 == 0x20 })
    case 5: changeScalar(&lines[place], word())
    case 6:
      // A scalar of another manifest.
      let seed = seeds.randomElement(using: &random) ?? []
      let from = seed.split { Self.separates($0) }.randomElement(using: &random)
      changeScalar(&lines[place], from.map(Array.init) ?? [])
    case 7:
      let line = lines[place]
      lines.insert(
        contentsOf: Array(repeating: line, count: Int.random(in: 2...300, using: &random)),
        at: place)
    case 8: lines[place] += word()
    default:
      let seed = seeds.randomElement(using: &random) ?? []
      let part = seed.split(separator: 0x0A).map(Array.init)
      lines.insert(
        contentsOf: part.prefix(Int.random(in: 0...part.count, using: &random)), at: place)
    }
    bytes = Array(lines.joined(separator: [0x0A]))
  }

  private mutating func changeScalar(_ line: inout [UInt8], _ text: [UInt8]) {
    guard let scalar = line.split(whereSeparator: Self.separates).randomElement(using: &random)
    else { return line += text }
    line.replaceSubrange(scalar.startIndex..<scalar.endIndex, with: text)
  }

  private static func separates(_ byte: UInt8) -> Bool {
    " ,[]{}:\n".utf8.contains(byte)
  }

  private mutating func utf16(_ bytes: [UInt8]) -> [UInt8] {
    let isBig = chance(2)
    let units = Array("\u{FEFF}".utf16) + Array(String(decoding: bytes, as: UTF8.self).utf16)
    return units.flatMap { unit -> [UInt8] in
      let pair = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
      return isBig ? pair : pair.reversed()
    }
  }
}
