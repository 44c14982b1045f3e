/// The colors that an app chooses for roles; the others are the terminal's.
package struct Theme: Hashable, Sendable {
  package var colors: [Role: TerminalColor] = [:]

  package init() {}
}

/// A color of a terminal.
package enum TerminalColor: Hashable, Sendable {
  /// One of the 16 that people set in their terminals, by its index.
  case named(Int)
  case rgb(red: UInt8, green: UInt8, blue: UInt8)

  /// The names of the 16 colors, in the terminal's order.
  package static let names: [String] = {
    let names = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]
    return names + names.map { "bright-" + $0 }
  }()

  /// Reads the name of a color, or `#` and six hexadecimal digits; `nil` for anything else.
  package init?(_ text: String) {
    if let index = Self.names.firstIndex(of: text) {
      self = .named(index)
      return
    }
    guard text.utf8.first == UInt8(ascii: "#"), text.utf8.count == 7,
      text.utf8.dropFirst().allSatisfy({ UnicodeScalar($0).properties.isASCIIHexDigit }),
      let value = UInt32(text.dropFirst(), radix: 16)
    else { return nil }
    self.init(value)
  }

  private init(_ value: UInt32) {
    self = .rgb(
      red: UInt8(value >> 16 & 255), green: UInt8(value >> 8 & 255), blue: UInt8(value & 255))
  }

  /// How many colors a terminal can show.
  package enum Depth: Sendable {
    case sixteen, twoHundredFiftySix, full

    /// What the environment says of the terminal.
    package init(variable: (String) -> String? = TerminalFacts.variable) {
      let terminal = variable("TERM") ?? ""
      self =
        ["truecolor", "24bit"].contains(variable("COLORTERM")) || terminal.hasSuffix("-direct")
        ? .full : terminal.contains("256color") ? .twoHundredFiftySix : .sixteen
    }
  }

  /// The SGR parameters of the color, or of the nearest one that the terminal can show.
  package func code(_ depth: Depth) -> String {
    switch (self, depth) {
    case (.named(let index), _): Self.code(index)
    case (.rgb(let red, let green, let blue), .full): "38;2;\(red);\(green);\(blue)"
    case (.rgb, .twoHundredFiftySix): "38;5;\(16 + nearest(Self.fixed))"
    case (.rgb, .sixteen): Self.code(nearest(Self.usual))
    }
  }

  private static func code(_ index: Int) -> String { "\(index < 8 ? 30 + index : 82 + index)" }

  /// The index of the color that is the nearest to this one.
  private func nearest(_ colors: [TerminalColor]) -> Int {
    func distance(_ other: TerminalColor) -> Int {
      guard case .rgb(let red, let green, let blue) = self,
        case .rgb(let otherRed, let otherGreen, let otherBlue) = other
      else { return 0 }
      let parts = [(red, otherRed), (green, otherGreen), (blue, otherBlue)]
      return parts.reduce(0) { $0 + (Int($1.0) - Int($1.1)) * (Int($1.0) - Int($1.1)) }
    }
    return colors.indices.min { distance(colors[$0]) < distance(colors[$1]) } ?? 0
  }

  /// The 16 colors as xterm has them, from which a person's own differ a little.
  private static let usual: [TerminalColor] = [
    0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
    0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
  ].map { TerminalColor($0) }

  /// The colors from 16 to 255, which all terminals with 256 colors have in common: a cube, and grays.
  private static let fixed: [TerminalColor] = {
    let levels: [UInt8] = [0, 95, 135, 175, 215, 255]
    let cube = (0..<216).map {
      TerminalColor.rgb(red: levels[$0 / 36], green: levels[$0 / 6 % 6], blue: levels[$0 % 6])
    }
    let grays = (0..<24).map { UInt8(8 + $0 * 10) }
    return cube + grays.map { .rgb(red: $0, green: $0, blue: $0) }
  }()
}
