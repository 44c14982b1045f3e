import Foundation
import TestSupport
import Testing

/// What docs/features.md explains is all that a screen, an effect and a body can be made of.
@Suite("The page on features")
struct FeaturesPageTests {
  private let page: String

  init() throws {
    page = try String(
      contentsOf: packageFolder.appendingPathComponent("docs/features.md"), encoding: .utf8)
  }

  /// The names that `pattern` finds in the public declarations of some of the SDK's sources.
  private func names(
    _ pattern: Regex<(Substring, Substring)>, in folder: String, _ prefix: String = ""
  ) throws -> Set<String> {
    let folder = packageFolder.appendingPathComponent("Sources/SDK/AppCore/\(folder)")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasPrefix(prefix) && $0.hasSuffix(".swift") }
    return try files.reduce(into: []) { names, file in
      var text = try String(
        contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
      // What only the host may call is not for authors of features.
      text.replace(/\n@_spi\(Host\)\n(?s:.*?)\n}\n/, with: "\n")
      names.formUnion(text.matches(of: pattern).map { String($0.1) })
    }
  }

  @Test("Every element of a screen has its row")
  func elements() throws {
    let elements = try names(/public mutating func (\w+)/, in: "Screens", "ScreenBuilder")
      .union(names(/public mutating func (\w+)/, in: "Screens", "ChartContent"))
    #expect(elements.contains("toggle"))
    for name in elements {
      let isThere = try page.contains(Regex("(?m)^\\|.*`\(name)\\("))
      #expect(isThere, "'\(name)' has no row")
    }
  }

  @Test("Every effect has its row")
  func effects() throws {
    let effects = try names(/public (?:static )?(?:func|var) (\w+)/, in: "Effects", "Effect+")
    #expect(effects.contains("debounce"))
    for name in effects {
      let isThere = try page.contains(Regex("(?m)^\\|.*`[a-z]*\\.\(name)\\b"))
      #expect(isThere, "'\(name)' has no row")
    }
  }

  @Test("Every operator on reducers and every dependency of the SDK is named")
  func operators() throws {
    let operators = try names(/(?m)^ {2}public func (\w+)/, in: "Reducers/Operators")
      .subtracting(["reduce"])
    #expect(operators.contains("onChange"))
    for name in operators {
      let isThere = try page.contains(Regex("`\\.\(name)\\b"))
      #expect(isThere, "'\(name)' is not named")
    }
    let key = /extension DependencyValues \{\n(?:  \/\/\/.*\n)*  public var (\w+)/
    let dependencies = try names(key, in: "Dependencies").union(names(key, in: "Files"))
    #expect(dependencies.contains("clock"))
    for name in dependencies {
      let isThere = page.contains("`\\.\(name)`")
      #expect(isThere, "'\\.\(name)' is not named")
    }
  }
}
