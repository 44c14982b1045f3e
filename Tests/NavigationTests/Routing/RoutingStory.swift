import AppCore
import Foundation
internal import Support
import TestSupport
import Testing

@_spi(Host) @testable import Navigation

/// Routes, what instances emit, and what comes of it, as text.
///
///     With over, the push goes on the current instance
///       start list
///         list
///       list go: present dialog
///       list more: push alerts over
///       > list go
///         list ! dialog
///         made: dialog, by list, over list
///
/// After the title: where the app begins (and `background` with its places), its routes with their
/// verbs, and the lines that are typed into the last instance of a place, or the last with a tag
/// (`> list#a go`). The person's are `> back` and `> open push home; living list; needs list`.
/// Below each, with two more spaces, stands what it leads to: the picture of what is presented, what
/// was refused, the instances that were made with their presenters, and what instances were told.
struct RoutingStory {
  /// The error that a line is not one of a story.
  struct UnknownLine: Error { let line: String }

  let title: String
  /// The lines with their outcomes, as they are expected.
  let lines: [String]

  /// The stories of a text, between empty lines.
  static func all(in text: String) -> [RoutingStory] {
    text.components(separatedBy: "\n\n").compactMap { part in
      let lines = part.split(separator: "\n").map(String.init)
      return lines.first.map { RoutingStory(title: $0, lines: Array(lines.dropFirst())) }
    }
  }

  /// Carries the story out, and returns its lines with the outcomes.
  @MainActor
  func played() throws -> [String] {
    let inputs = lines.filter { !$0.hasPrefix("    ") }.map { $0.dropFirst(2) }
    let start = try #require(inputs.first { $0.hasPrefix("start ") }, "no start")
    let words = start.split(separator: " ")
    let routes = try inputs.compactMap { line -> Route? in
      guard !line.hasPrefix("> "), let colon = line.firstRange(of: ": ") else { return nil }
      let words = line[..<colon.lowerBound].split(separator: " ")
      return Route(
        node: try Place(words.first).node, action: String(words.last ?? ""),
        verbs: try line[colon.upperBound...].split(separator: ";").map { try RouteVerb(text: $0) })
    }
    let app = try TestApp(
      graph: Graph(
        name: "test", title: "Test", nodes: Place.allCases.map(\.definition),
        start: try Target(text: words[1]),
        background: try words.dropFirst(3).map { try Target(text: $0) }, routes: routes))
    var outcomes = Outcomes(app)
    var played: [String] = []
    for line in inputs {
      played.append("  " + line)
      switch line {
      case start: break
      case "> back": app.store.send(.navigate(.back))
      case let line where line.hasPrefix("> open "): try app.open(line.dropFirst(7))
      case let line where line.hasPrefix("> "):
        let words = line.split(separator: " ", maxSplits: 2)
        try app.emit(try app.instance(words[1]), words.count > 2 ? String(words[2]) : "")
      default: continue
      }
      played += outcomes.next().map { "    " + $0 }
    }
    return played
  }

  /// What has come of an app's lines so far.
  @MainActor
  private struct Outcomes {
    let app: TestApp
    private var instances: Set<InstanceID> = []
    private var heard: [InstanceID: Int] = [:]
    private var journalCount = 0

    init(_ app: TestApp) { self.app = app }

    /// What has come of the last line.
    mutating func next() -> [String] {
      var lines = [app.picture]
      var rejections = app.state.journal.events.compactMap { event -> Rejection? in
        if case .refused(_, _, let rejection) = event.outcome { rejection } else { nil }
      }
      for (index, text) in app.journal.enumerated() {
        let isRejection = rejections.first?.code == text
        let rejection = isRejection ? rejections.removeFirst() : nil
        guard index >= journalCount else { continue }
        lines.append(rejection.map { "refused: \($0)" } ?? text)
      }
      journalCount = app.journal.count
      let isStart = instances.isEmpty
      for place in Place.allCases {
        for id in app.all(place) {
          if instances.insert(id).inserted, !isStart {
            lines.append("made: \(app.name(of: id))" + origin(of: id))
          }
          // Containers have no state, and are told nothing.
          let texts = app.state.instances[id]?.state == nil ? [] : (try? app.heard(id)) ?? []
          lines += texts.dropFirst(heard[id] ?? 0).map { "told \(app.name(of: id)): \($0)" }
          heard[id] = texts.count
        }
      }
      lines += Invariants.broken(in: app.state, of: app.graph).map { "broken: \($0)" }
      return lines
    }

    /// Who presented an instance, and what its layer covers if it is the layer's base.
    private func origin(of id: InstanceID) -> String {
      var text = app.state.instances[id]?.presenter.map { ", by " + app.name(of: $0) } ?? ""
      if let top = app.state.navigation.topLayer, let layer = app.state.navigation.layers[top],
        app.state.instances[id]?.stack == layer.stack, app.state.instances[id]?.below == nil,
        let over = layer.over
      {
        text += ", over " + app.name(of: over)
      }
      return text
    }
  }
}

/// What a router does with the verbs of routes.
@MainActor
@Suite("Routing, as stories")
struct RoutingStoryTests {
  nonisolated static let folder = packageFolder.appendingPathComponent("Tests/Fixtures/routing")
  nonisolated static let files =
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()

  @Test("Each line leads to what is below it", arguments: files)
  func stories(_ name: String) throws {
    let file = Self.folder.appendingPathComponent(name)
    let stories = RoutingStory.all(in: try String(contentsOf: file, encoding: .utf8))
    #expect(!stories.isEmpty)
    var recorded: [String] = []
    for story in stories {
      let played = try story.played()
      recorded.append(([story.title] + played).joined(separator: "\n"))
      let comparison = OutputComparison(expected: story.lines, printed: played)
      if ProcessInfo.processInfo.environment["RECORD"] != "1" {
        #expect(comparison.isEqual, "\(name): \(story.title)\n\(comparison.difference)")
      }
    }
    if ProcessInfo.processInfo.environment["RECORD"] == "1" {
      try (recorded.joined(separator: "\n\n") + "\n").write(
        to: file, atomically: true, encoding: .utf8)
    }
  }
}

extension TestApp {
  /// The place of an instance, with its tag where it has one.
  fileprivate func name(of id: InstanceID) -> String {
    guard let instance = state.instances[id] else { return "what is gone" }
    let place = Place.allCases[instance.node].rawValue
    if case .string(let tag)? = instance.arguments["tag"] { return "\(place)#\(tag)" }
    return place
  }

  /// The last instance of a place, or the last with a tag.
  fileprivate func instance(_ name: Substring) throws -> InstanceID {
    let parts = name.split(separator: "#")
    let found = all(try Place(parts.first)).last { parts.count < 2 || self.name(of: $0) == name }
    return try #require(found, "there is no instance '\(name)'")
  }

  /// Opens a link of steps: `push list#b; select alerts; living home; needs home`.
  fileprivate func open(_ text: Substring) throws {
    var needs: Int?
    let steps = try text.split(separator: ";").compactMap { step -> Link.Step? in
      let words = step.split(separator: " ")
      let target = try Target(text: words.count > 1 ? words[1] : "")
      // As the graph does: what a node itself gives is part of its arguments.
      let whole = Target(node: target.node, graph.arguments(of: target, payload: .null))
      switch words.first {
      case "push": return .push(whole, isLiving: false)
      case "living": return .push(whole, isLiving: true)
      case "present": return .present(target)
      case "select": return .select(node: target.node)
      case "needs":
        needs = target.node
        return nil
      default: throw RoutingStory.UnknownLine(line: String(text))
      }
    }
    store.send(.navigate(.open(LinkPlan(address: "test", steps: steps, needs: needs))))
  }
}

extension Place {
  fileprivate init(_ word: Substring?) throws {
    let word = String(word ?? "")
    self = try #require(Place(rawValue: word), "there is no place '\(word)'")
  }
}

extension Target {
  /// A place with a tag where there is one: `list#b`.
  fileprivate init(text: Substring) throws {
    let parts = text.split(separator: "#")
    self.init(try Place(parts.first), parts.count > 1 ? String(parts[1]) : nil)
  }
}

extension RouteVerb {
  /// A verb with its target and options: `push list#b singleTop cut`.
  fileprivate init(text: Substring) throws {
    let words = text.split(separator: " ")
    let word = words.count > 1 ? words[1] : ""
    let options = words.dropFirst(2)
    let ifCovered: IfCovered =
      options.contains("cut") ? .cut : options.contains("over") ? .over : .refuse
    let isInclusive = options.contains("inclusive")
    switch words.first {
    case "push":
      self = .push(try Target(text: word), singleTop: options.contains("singleTop"), ifCovered)
    case "present": self = .present(try Target(text: word), ifCovered)
    case "replace": self = .replace(try Target(text: word), ifCovered)
    case "select": self = .select(try Place(word), ifCovered: ifCovered)
    case "popTo" where word == "root": self = .popToRoot(inclusive: isInclusive)
    case "popTo": self = .popTo(try Place(word), inclusive: isInclusive)
    case "reset": self = .reset(try Target(text: word))
    case "back": self = .back
    case "dismiss": self = .dismiss
    case "ignore": self = .ignore
    case "tell" where word == "presenter": self = .tell(.presenter)
    case "tell" where word == "opener": self = .tell(.opener)
    case "tell" where word == "current": self = .tell(.current)
    case "tell": self = .tell(try Place(word))
    default: throw RoutingStory.UnknownLine(line: String(text))
    }
  }
}
