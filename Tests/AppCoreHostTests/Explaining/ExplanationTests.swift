internal import AppCheck
internal import AppCoreHost
internal import Diagnostics
import Foundation
import Testing

@Suite("Explanation")
struct ExplanationTests {
  /// The codes that a source file of the program has, as `case …: "code"`.
  private static func codes(in file: String) throws -> Set<String> {
    let text = try Project.text(file)
    return Set(text.matches(of: /: "([a-z0-9]+(?:-[a-z0-9]+)*)"/).map { String($0.1) })
  }

  /// The codes of the rules that the sources in folders declare.
  private static func rules(in folders: [String]) throws -> Set<String> {
    var codes: Set<String> = []
    for folder in folders {
      for file in try FileManager.default.contentsOfDirectory(atPath: Project.path(folder)) {
        let text = try Project.text("\(folder)/\(file)")
        codes.formUnion(text.matches(of: /= Rule\(\s*"([a-z0-9-]+)"/).map { String($0.1) })
      }
    }
    return codes
  }

  private static func explained(_ family: Explanation.Family) -> Set<String> {
    Set(Explanation.all.filter { $0.family == family }.map(\.code))
  }

  @Test("Every code that the program has is explained, and no other")
  func complete() throws {
    let manifest = try Self.rules(in: ["Sources/Manifest/Rules", "Sources/Navigation/Rules"])
    #expect(manifest.count > 80)
    #expect(Self.explained(.manifest).symmetricDifference(manifest) == [])
    let plugin = try Self.codes(in: "Sources/PluginHost/Problems/PluginProblem+Remedy.swift")
      .union(Self.codes(in: "Sources/PluginHost/Problems/ELFProblem+Wording.swift"))
      .union(Self.codes(in: "Sources/PluginHost/Building/BuildFailure+Wording.swift"))
      .filter { $0.contains("-") }
    #expect(Self.explained(.plugin).symmetricDifference(plugin) == [])
    let dropped = try Project.text("Sources/AppCoreHost/Inspecting/NavigationEvent.swift")
      .matches(of: /(?:dropped|warned)\(\s*code: "([a-z-]+)"/).map { String($0.1) }
    let step = try Self.codes(in: "Sources/Navigation/Verbs/Refusal.swift").union(dropped)
    #expect(Self.explained(.step).symmetricDifference(step) == [])
    let line = try Self.codes(in: "Sources/Shell/Refusals/Refusal+Code.swift")
      .union(Self.codes(in: "Sources/Conversation/App+Conversation.swift"))
      .union(Self.codes(in: "Sources/Navigation/Links/LinkProblem.swift"))
      .union(Self.codes(in: "Sources/AppCoreHost/Reloading/PluginReloading.swift"))
      .union(Self.codes(in: "Sources/AppCoreHost/Reloading/App+Reloading.swift"))
      .union(["state-not-carried"])
    #expect(Self.explained(.line).union(Self.explained(.step)).isSuperset(of: line))
    #expect(Self.explained(.line).isSubset(of: line))
  }

  @Test("Each says what it is in a sentence, and what to do")
  func words() {
    for explanation in Explanation.all {
      for text in [explanation.meaning, explanation.remedy, explanation.summary] {
        #expect(text.hasSuffix("."), "\(explanation.code): \(text)")
        #expect(!text.contains("\n") && !text.contains("  "), "\(explanation.code): \(text)")
      }
    }
    for family in Explanation.Family.allCases {
      let codes = Explanation.all.filter { $0.family == family }.map(\.code)
      #expect(Set(codes).count == codes.count)
    }
  }

  @Test("The program explains a code, with the nearest one where there is none")
  func program() throws {
    #expect(try Explanation.text(of: "[unknown-node]").hasPrefix("unknown-node: a problem of"))
    #expect(throws: UnknownCode.self) { try Explanation.text(of: "unknown-nod") }
    do {
      _ = try Explanation.text(of: "unknown-nod")
    } catch {
      #expect("\(error)".hasSuffix("did you mean 'unknown-node'?"))
    }
    for (typed, meant) in [
      ("unrouted", "unrouted-delegate"), ("delegate", "unknown-delegate"), ("stal", "stale"),
    ] {
      do {
        _ = try Explanation.text(of: typed)
      } catch {
        #expect("\(error)".hasSuffix("did you mean '\(meant)'?"), "\(error)")
      }
    }
    for code in Explanation.all.map(\.code) { #expect(Explanation.list.contains("  \(code)\n")) }
  }
}
