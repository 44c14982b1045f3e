import Foundation
import Testing

/// `appcore check --fix`, and several manifests in one call.
@Suite("appcore check: corrections and several manifests")
struct FixTests {
  private static let wrong = """
    appcore: "1"
    plugins: [Dialogs]
    start: aks
    nodes:
      ask:
        feature: Dialogs.Confirm
        with: { quetion: {$dir} }
    routes:
      - { from: ask, action: [confirmed, declined], DO: ignore }

    """

  private static let right = """
    appcore: 1
    plugins: [Dialogs]
    start: ask
    nodes:
      ask:
        feature: Dialogs.Confirm
        with: { question: "{$dir}" }
    routes:
      - { from: ask, action: [confirmed, declined], do: ignore }

    """

  private func inode(_ path: String) throws -> UInt64? {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return (attributes[.systemFileNumber] as? NSNumber)?.uint64Value
  }

  @Test("Certain corrections are written, and reported place by place")
  func fixes() async throws {
    let bench = try Workbench()
    let file = try bench.write(Self.wrong, to: "m.yaml")
    #expect(try await bench.appcore(["check", file]).status == 65)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == Self.wrong)
    // A map in the place of a text hides what else is wrong there until it is a text.
    let outcome = try await bench.appcore(["check", file, "--fix"])
    #expect(
      bench.portable(outcome.errors).hasPrefix(
        """
        $DIR/m.yaml:1:10: fixed: '"1"' is now '1' [wrong-shape]
        $DIR/m.yaml:3:8: fixed: 'aks' is now 'ask' [unknown-node]
        """), "\(outcome.errors)")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == Self.right)
    let number = try inode(file)
    #expect(try await bench.appcore(["check", file, "--fix"]).errors.hasSuffix("no problems\n"))
    #expect(try inode(file) == number, "a file without problems is not written")
  }

  @Test("A plugin that a node uses by its name is not renamed, however often it is corrected")
  func keepsUsedNames() async throws {
    let bench = try Workbench()
    let text = """
      appcore: 1
      plugins: [Shop]
      start: one
      nodes:
        one: { feature: Shop.A }
        two: { feature: %.B }
      routes:
        - { from: one, action: moved, push: two }

      """
    let file = try bench.write(text.replacingOccurrences(of: "%", with: "Shp"), to: "m.yaml")
    let first = try await bench.appcore(["check", file, "--fix"])
    #expect(first.errors.contains("m.yaml:6:19: fixed: 'Shp' is now 'Shop' [unknown-plugin]"))
    let corrected = text.replacingOccurrences(of: "%", with: "Shop")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == corrected)
    #expect(try await !bench.appcore(["check", file, "--fix"]).errors.contains("fixed"))
  }

  @Test("A plugin is not renamed to a name under which there is none either")
  func keepsUnavailableNames() async throws {
    let bench = try Workbench()
    let text = """
      appcore: 1
      plugins: [%]
      start: one
      nodes:
        one: { feature: %.Confirm }
      routes:
        - { from: one, action: [confirmed, declined], do: ignore }

      """
    for (listed, used, isRenamed) in [("Dilogs", "Dialogs", true), ("Dilogs", "Dilgs", false)] {
      let file = try bench.write(
        text.replacingOccurrences(of: "[%]", with: "[\(listed)]")
          .replacingOccurrences(of: "%", with: used), to: "m.yaml")
      let outcome = try await bench.appcore(["check", file, "--fix"])
      #expect(outcome.errors.contains("fixed: 'Dilogs' is now '\(used)'") == isRenamed)
      #expect(outcome.status == (isRenamed ? 0 : 69), "\(outcome)")
    }
  }

  @Test("A code that no rule has can't be ignored, neither by an option nor by a comment")
  func unknownCodes() async throws {
    let bench = try Workbench()
    let file = try bench.write(
      Self.right.replacingOccurrences(
        of: "start: ask", with: "start: ask # appcore: ignore unused-plugni, idle-route (for now)"),
      to: "m.yaml")
    let outcome = try await bench.appcore(["check", file])
    #expect(outcome.status == 0)
    #expect(
      bench.portable(outcome.output).hasPrefix(
        "$DIR/m.yaml:3:30: warning: there is no code 'unused-plugni' to ignore; did you mean "
          + "'unused-plugin'? [unknown-code]\n"), "\(outcome)")
    let option = try await bench.appcore(["check", file, "--ignore", "unused-plugni"])
    #expect(option.status == 64)
    #expect(
      option.errors.contains("there is no code 'unused-plugni'; did you mean 'unused-plugin'?"))
  }

  @Test("The file keeps its mark, its line breaks, its permissions and the link to it")
  func keeps() async throws {
    let bench = try Workbench()
    let text = "\u{FEFF}" + Self.right.replacingOccurrences(of: "\n", with: "\r\n")
    let file = try bench.write(
      text.replacingOccurrences(of: "start: ask", with: "start: aks"), to: "real.yaml")
    try await bench.shell("chmod 640 real.yaml && ln -s real.yaml link.yaml")
    let outcome = try await bench.appcore(["check", bench.folder + "/link.yaml", "--fix"])
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try Data(contentsOf: URL(filePath: file)) == Data(text.utf8))
    #expect(
      try await bench.shell("stat -c %a real.yaml; readlink link.yaml; ls *.yaml*")
        == "640\nreal.yaml\nlink.yaml\nreal.yaml\n")
  }

  @Test("A file that can't be written stays as it is, and is reported")
  func refused() async throws {
    let bench = try Workbench()
    let text = Self.right.replacingOccurrences(of: "start: ask", with: "start: aks")
    let wide = try #require(text.data(using: .utf16LittleEndian))
    let file = bench.folder + "/wide.yaml"
    try (Data([0xFF, 0xFE]) + wide).write(to: URL(filePath: file))
    let outcome = try await bench.appcore(["check", file, "--fix"])
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("wide.yaml: not fixed: it has changed since, or is not UTF-8"))
    #expect(try Data(contentsOf: URL(filePath: file)) == Data([0xFF, 0xFE]) + wide)
  }

  @Test("Included files are corrected too, each once")
  func includes() async throws {
    let bench = try Workbench()
    let part = try bench.write(
      "appcore: 1\nnodes: { note: { featrue: Dialogs.Notice, titel: x } }\n", to: "part.yaml")
    let file = try bench.write(
      "appcore: 1\ninclude: [part.yaml]\nplugins: [Dialogs]\nstart: note\n", to: "m.yaml")
    let outcome = try await bench.appcore(["check", file, "--fix"])
    #expect(outcome.errors.contains("part.yaml:2:18: fixed: 'featrue' is now 'feature'"))
    #expect(
      try String(contentsOfFile: part, encoding: .utf8)
        == "appcore: 1\nnodes: { note: { feature: Dialogs.Notice, title: x } }\n")
  }

  @Test("Several manifests are checked in one call, one of them from standard input")
  func several() async throws {
    let bench = try Workbench()
    let good = try bench.write(Self.right, to: "good.yaml")
    let bad = try bench.write(Self.wrong, to: "bad.yaml")
    let missing = bench.folder + "/missing.yaml"
    let both = try await bench.appcore(["check", good, "-", bad], input: Self.wrong)
    #expect(both.status == 65)
    #expect(bench.portable(both.errors) == "$DIR/good.yaml: no problems\n")
    let places = bench.portable(both.output).split(separator: "\n").filter { $0.hasSuffix("]") }
      .map { $0.prefix { $0 != ":" } }
    #expect(places.first == "<stdin>" && places.last == "$DIR/bad.yaml")
    #expect(try await bench.appcore(["check", "-"], input: Self.right).status == 0)
    let absent = try await bench.appcore(["check", missing, good])
    #expect(absent.status == 66)
    #expect(absent.errors.contains("missing.yaml': No such file or directory"))
    #expect(try await bench.appcore(["check", missing, bad]).status == 65)
    #expect(try await bench.appcore(["check", "-", "-"]).status == 64)
    #expect(try await bench.appcore(["check", "-", "--fix"]).status == 64)
  }

  @Test("Paths included by standard input are relative to the working directory")
  func standardInput() async throws {
    let bench = try Workbench()
    try bench.write("appcore: 1\nnodes: { a: { feature: A.B, titel: x } }\n", to: "part.yaml")
    let command =
      "printf 'appcore: 1\\nstart: a\\ninclude: [part.yaml, /etc/hosts]\\n' "
      + "| $BUILD/appcore check -"
    let output = try await bench.shell(command)
    #expect(output.contains("part.yaml:2:29: error: unknown key 'titel'"))
    #expect(output.contains("<stdin>:3:22: error: the include '/etc/hosts' is outside"))
  }

  @Test("A manifest that can't be read is reported in the format that is asked for")
  func unreadable() async throws {
    let bench = try Workbench()
    let missing = bench.folder + "/missing.yaml"
    for format in ["json", "sarif"] {
      let outcome = try await bench.appcore(["check", missing, "--format", format])
      #expect(outcome.status == 66)
      #expect(outcome.output.contains("\"unreadable-manifest\""))
      #expect(outcome.output.contains("No such file or directory"))
    }
    let folder = try await bench.appcore(["check", bench.folder])
    #expect(folder.status == 66)
    #expect(folder.errors.contains("has no manifest of an app"))
  }
}
