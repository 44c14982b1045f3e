import Foundation
import TestSupport
import Testing

/// Every example in the documentation of the SDK is compiled.
///
/// Examples that only declare types and functions are in one file, each in a name space of its
/// own; those that extend types or run statements are compiled each by itself.
@Suite("Examples in the documentation")
struct ExampleTests {
  private struct Example: Sendable {
    let file: String
    /// The line of the fence, from 1.
    let line: Int
    let lines: [String]

    /// Whether it may be inside another declaration.
    var isNested: Bool {
      let beginnings = [
        "struct ", "enum ", "indirect enum ", "func ", "final class ", "}", "//", " ",
      ]
      return lines.allSatisfy { line in
        line.isEmpty || beginnings.contains { line.hasPrefix($0) }
      }
    }

    /// The example, its lines named as they are in the sources.
    var source: String {
      (["#sourceLocation(file: \"\(file)\", line: \(line + 1))"] + lines
        + ["#sourceLocation()"]).joined(separator: "\n")
    }
  }

  private static func examples() throws -> [Example] {
    let folder = packageFolder.appending(path: "Sources/SDK/AppCore").resolvingSymlinksInPath()
    let files = (FileManager.default.enumerator(atPath: folder.path)?.allObjects as? [String] ?? [])
      .filter { $0.hasSuffix(".swift") }.sorted()
    return try files.flatMap { file in
      let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      var examples: [Example] = []
      var open: (line: Int, lines: [String])?
      for (index, line) in text.components(separatedBy: "\n").enumerated() {
        let line = line.drop { $0 == " " }
        guard line.hasPrefix("///") else { continue }
        let content = String(line.dropFirst(line.hasPrefix("/// ") ? 4 : 3))
        if content.hasPrefix("```") {
          if let example = open {
            examples.append(Example(file: file, line: example.line, lines: example.lines))
          }
          open = content == "```swift" ? (index + 1, []) : nil
        } else {
          open?.lines.append(content)
        }
      }
      return examples
    }
  }

  /// What the compiler says about a program of one file.
  private func complaints(_ source: String) async throws -> String {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "appcore-examples-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "Examples.swift")
    try source.write(to: file, atomically: true, encoding: .utf8)
    let compiler = try #require(Program.find("swiftc"), "there is no 'swiftc' on the search path")
    let result = try await Program.run(
      compiler,
      [
        "-typecheck", "-swift-version", "6", "-I", buildFolder.appending(path: "Modules").path,
        file.path,
      ], mergesErrors: true)
    // Values that an example makes and does not use are no complaint.
    return result.status == 0 ? "" : result.output
  }

  @Test("Those of declarations compile")
  func declarations() async throws {
    let examples = try Self.examples().filter(\.isNested)
    #expect(examples.count > 25)
    let spaces = examples.enumerated().map { "enum Example\($0) {\n\($1.source)\n}" }
    let complaints = try await complaints((["import AppCore"] + spaces).joined(separator: "\n"))
    #expect(complaints.isEmpty, "\(complaints)")
  }

  @Test("Those of statements and extensions compile")
  func statements() async throws {
    let examples = try Self.examples().filter { !$0.isNested }
    #expect(examples.count > 5)
    for example in examples {
      let complaints = try await complaints("import AppCore\n\(example.source)\n")
      #expect(complaints.isEmpty, "\(complaints)")
    }
  }

  @Test(
    "Every operator has one",
    arguments: [
      "Reducers/ReducerBuilder.swift": 3, "Reducers/Reducer.swift": 1,
      "Reducers/Operators/Scope.swift": 1,
      "Reducers/Operators/IfLet.swift": 1, "Reducers/Operators/IfLetPresentation.swift": 1,
      "Reducers/Operators/IfCaseLet.swift": 1, "Reducers/Operators/TransformDependencies.swift": 1,
      "Reducers/Operators/ForEach.swift": 1, "Reducers/Operators/ForEachOnStack.swift": 1,
      "Reducers/Operators/OnChange.swift": 1,
      "Reducers/Operators/PrintChanges.swift": 1, "Effects/Effect.swift": 1,
      "Effects/Effect+Composition.swift": 4, "Effects/Effect+Feature.swift": 2,
      "Effects/Effect+Embedding.swift": 1, "Effects/Effect+Timing.swift": 3,
      "Effects/Send.swift": 1,
      "State/PresentationState.swift": 1, "State/Dialogs/AlertState.swift": 1,
      "State/Dialogs/ConfirmationDialogState.swift": 1, "State/StackState.swift": 1,
      "State/IdentifiedArray.swift": 1, "Reflection/CasePath.swift": 1,
      "Dependencies/DependencyKey.swift": 1, "Dependencies/DependencyValues.swift": 1,
      "Dependencies/Dependency.swift": 1,
    ])
  func presence(file: String, count: Int) throws {
    #expect(try Self.examples().count { $0.file == file } >= count)
  }
}
