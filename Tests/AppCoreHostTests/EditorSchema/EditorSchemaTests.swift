internal import AppCore
internal import AppCoreHost
import Foundation
import TestSupport
import Testing

@testable import AppCheck
@testable import Manifest
@testable import Support

@Suite("The schema for editors")
struct EditorSchemaTests {
  private static let fixtures = Project.path("Tests/Fixtures/manifests")

  /// Every manifest below a folder.
  private static func manifests(in folder: String) -> [String] {
    let files = FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []
    return files.filter { $0.hasSuffix(".yaml") }.sorted().map { folder + "/" + $0 }
  }

  private static let valid =
    manifests(in: Project.path("manifests"))
    + manifests(in: fixtures + "/ok")

  /// The schema of the format, read once.
  private static func validator() throws -> SchemaValidator { try read.get() }
  private static let read = Result { try SchemaValidator(ManifestReport.schemaOfFormat) }

  @Test("The schema that is checked in is the one that the program prints, and has its form")
  func checkedIn() throws {
    let text = try Project.text("schema/appcore-1.json")
    #expect(ManifestReport.schemaOfFormat == text)
    #expect(JSONTree(ofFormat: Array(text.utf8)).text == text)
  }

  @Test("Every manifest that ships, and every good one of the tests, fits", arguments: valid)
  func fits(_ file: String) throws {
    let value = try #require(try ManifestValue.of(file))
    #expect(try Self.validator().problems(of: value) == [])
  }

  @Test("Every manifest that ships names the schema in its first line")
  func modelines() throws {
    for file in Self.manifests(in: Project.path("manifests")) {
      let text = try String(contentsOfFile: file, encoding: .utf8)
      #expect(
        text.hasPrefix("# yaml-language-server: $schema=../schema/appcore-1.json\n"), "\(file)")
    }
  }

  /// The codes of what a schema can tell from the manifest's text alone.
  private static let telling: Set<String> = [
    "unknown-key", "unknown-value", "unsupported-version", "bad-name", "reserved-name",
    "bad-feature-name", "bad-version-requirement", "empty-list", "missing-verb", "several-verbs",
    "unknown-verb", "missing-target", "superfluous-target", "misplaced-option",
    "feature-and-tabs", "background-without-tabs", "verb-not-in-link", "missing-key",
    "wrong-shape", "duplicate-entry", "no-target-here", "yes-no-boolean",
  ]

  /// Fixtures whose problems a schema can't tell although their codes are of those, and why.
  private static let exceptions = [
    "missing-start": "an included file has no start",
    "include-conflicts": "which of its files has the problem is not known to a schema",
    "too-nested": "depth has no place in a schema",
    "start-missing": "an included file has no start",
    "include-nul": "what a path may contain is not said by a schema",
    "option-to-all": "whom a notification is for is not known to an option",
    "homoglyph": "no node can have the name, which is reported as an unknown node",
    "json-comma": "no node can have the name, which is reported as an unknown node",
    "semicolon": "no node can have the name, which is reported as an unknown node",
    "zero-width-space": "no node can have the name, which is reported as an unknown node",
  ]

  @Test(
    "A manifest that breaks the grammar breaks the schema; one with wrong names only does not",
    arguments: manifests(in: fixtures + "/err").filter { !$0.contains("/parts/") })
  func refuses(_ file: String) throws {
    let name = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
    guard Self.exceptions[name] == nil, let value = try ManifestValue.of(file) else { return }
    let loader = ManifestLoader(options: .init(environment: { _ in nil }))
    let result = try loader.load(path: file)
    let codes = Set(result.problems.filter { $0.range.file == 0 }.map(\.code))
    let isTold = !codes.isDisjoint(with: Self.telling)
    // What YAML itself refuses is not what an editor's schema sees.
    guard isTold || codes.isDisjoint(with: Self.ofText) else { return }
    let problems = try Self.validator().problems(of: value)
    #expect(problems.isEmpty != isTold, "\(codes.sorted()): \(problems)")
  }

  /// The codes of what is wrong with the text rather than with what it says.
  private static let ofText: Set<String> = [
    "syntax", "duplicate-key", "merge-key", "key-not-text", "custom-tag", "unquoted-template",
    "undefined-alias", "recursive-alias", "comment-in-text", "too-nested", "too-much-expansion",
    "bad-link-path", "control-character",
  ]

  @Test("Each key of the grammar has a shape and a description in the schema")
  func shapes() throws {
    let root = try Self.validator().root
    let definitions: [(String, Value?)] = [
      ("manifest", root), ("variable", root["$defs"]?["variable"]),
      ("plugin", root["$defs"]?["plugin"]), ("node", root["$defs"]?["node"]),
      ("nodeUse", root["$defs"]?["nodeUse"]), ("route", root["$defs"]?["route"]),
      ("step", root["$defs"]?["step"]), ("link", root["$defs"]?["link"]),
      ("session", root["properties"]?["session"]),
      ("requirements", root["properties"]?["requires"]),
      ("theme", root["properties"]?["theme"]),
    ]
    #expect(definitions.count == Grammar.all.count)
    for ((name, schema), place) in zip(definitions, Grammar.all) {
      let keys = place.keywords.map(\.rawValue)
      let required = place.requiredKeywords.map { Value.string($0.rawValue) }
      #expect(schema?["required"] ?? .array([]) == .array(required))
      guard case .object(let shapes) = schema?["properties"] else {
        Issue.record("\(name): no properties")
        continue
      }
      #expect(shapes.keys.sorted() == keys.sorted(), "\(name)")
      for (key, shape) in shapes {
        guard case .object(let parts) = shape, case .string(let summary) = parts["description"]
        else {
          Issue.record("\(name): '\(key)' has no description")
          continue
        }
        #expect(summary.hasSuffix("."))
        #expect(parts.count > 1, "\(name): '\(key)' has no shape")
      }
    }
  }

  @Test(
    "python3-jsonschema, where it is installed, thinks the same of the schema and of every file")
  func pythonAgrees() async throws {
    guard let python = try await Self.python() else { return }
    let bench = try Workbench()
    try bench.write(ManifestReport.schemaOfFormat, to: "schema.json")
    try bench.write(Self.script, to: "validate.py")
    let validator = try Self.validator()
    var expected: [String] = []
    var files: [String] = []
    for file in Self.valid + Self.manifests(in: Self.fixtures + "/err") {
      // Python's expressions take U+0085 for a space, which those of a schema do not.
      guard let value = try ManifestValue.of(file) else { continue }
      guard !value.json.contains("\u{85}"), !value.json.contains("\\u0085") else { continue }
      let isFit = validator.problems(of: value).isEmpty
      expected.append("\(file): \(isFit ? "fits" : "refused")")
      files.append(try bench.write(value.json, to: "\(files.count).json"))
    }
    #expect(files.count >= 50)
    let judged = try await Program.run(
      python, [bench.folder + "/validate.py", bench.folder + "/schema.json"] + files)
    #expect(judged.status == 0 && judged.lines.count == expected.count)
    for (judgement, expected) in zip(judged.lines, expected) {
      #expect(expected.hasSuffix(": " + judgement), "Python's validator: \(judgement); \(expected)")
    }
  }

  private static let script = """
    import json, sys
    from jsonschema import Draft202012Validator
    schema = json.load(open(sys.argv[1]))
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    for name in sys.argv[2:]:
        print("fits" if validator.is_valid(json.load(open(name))) else "refused")

    """

  /// A Python that has the package; `nil` where none has.
  private static func python() async throws -> String? {
    for python in [Program.find("python3"), "/usr/bin/python3"] {
      guard let python, FileManager.default.isExecutableFile(atPath: python) else { continue }
      let test = try await Program.run(
        python, ["-c", "from jsonschema import Draft202012Validator"])
      if test.status == 0 { return python }
    }
    return nil
  }
}

/// A manifest's text as a value, as editors hold it against a schema.
enum ManifestValue {
  /// The value of a file; `nil` where it is no YAML.
  static func of(_ path: String) throws -> Value? {
    of(bytes: Array(try Data(contentsOf: URL(fileURLWithPath: path))), path: path)
  }

  /// The value of a text; `nil` where it is no YAML.
  static func of(text: String) -> Value? { of(bytes: Array(text.utf8), path: "text") }

  private static func of(bytes: [UInt8], path: String) -> Value? {
    let source = SourceFile(path: path, bytes: bytes)
    var builder = TreeBuilder(source: source, file: 0, limits: ManifestLimits())
    guard let tree = builder.build() else { return nil }
    return value(0, of: tree)
  }

  private static func value(_ index: Int, of tree: Tree) -> Value {
    switch tree.entries[index].kind {
    case .mapping:
      var fields: [String: Value] = [:]
      for (key, value) in tree.pairs(of: index) {
        fields[tree.string(key)] = self.value(value, of: tree)
      }
      return .object(fields)
    case .sequence: return .array(tree.elements(of: index).map { value($0, of: tree) })
    case .scalar:
      return Scalar(text: tree.string(index), isPlain: tree.entries[index].isPlain).resolved
    case .alias, .invalid: return .null
    }
  }
}
