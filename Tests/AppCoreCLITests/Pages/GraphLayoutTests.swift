import Foundation
import FoundationXML
import TestSupport
import Testing

@testable import AppCheck

@Suite("The layout of a graph's picture")
struct GraphLayoutTests {
  /// A graph of some nodes that lead to one another at random, a few of them in containers.
  private static func random(_ count: Int, _ random: inout SplitMix64) -> GraphDrawing {
    var nodes = (0..<count).map { GraphDrawing.Node(name: "n\($0)", feature: "Shop.Feature\($0)") }
    for _ in 0..<count / 8 {
      let tabs = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        nodes[Int.random(in: 0..<count, using: &random)].name
      }
      nodes.append(GraphDrawing.Node(name: "c\(nodes.count)", tabs: tabs))
    }
    let routes = (0..<Int.random(in: 0...3 * count, using: &random)).map { number in
      GraphDrawing.Route(
        from: nodes[Int.random(in: 0..<nodes.count, using: &random)].name, action: "a\(number)",
        verbs: [
          .init(
            word: ["push", "notify", "present"][Int.random(in: 0..<3, using: &random)],
            target: nodes[Int.random(in: 0..<nodes.count, using: &random)].name)
        ])
    }
    return GraphDrawing(nodes: nodes, routes: routes, start: "n0")
  }

  @Test("No box covers another, tabs are inside their container, and all fit the page")
  func boxes() throws {
    var random = SplitMix64(seed: 7)
    for size in [1, 2, 3, 5, 8, 13, 40] {
      for _ in 0..<20 {
        let drawing = Self.random(size, &random)
        let blocks = GraphBlocks(drawing)
        #expect(Set(blocks.boxes.map(\.node.name)) == Set(drawing.nodes.map(\.name)))
        for (index, box) in blocks.boxes.enumerated() {
          #expect(box.corner.x >= 0 && box.corner.x + box.width <= blocks.width)
          #expect(box.corner.y >= 0 && box.corner.y + box.height <= blocks.height)
          for other in blocks.boxes[(index + 1)...] {
            let isApart =
              box.corner.x + box.width <= other.corner.x
              || other.corner.x + other.width <= box.corner.x
              || box.corner.y + box.height <= other.corner.y
              || other.corner.y + other.height <= box.corner.y
            let isInside =
              box.block == other.block && other.depth > box.depth
              && other.corner.x > box.corner.x && other.corner.y > box.corner.y
              && other.corner.x + other.width < box.corner.x + box.width
              && other.corner.y + other.height < box.corner.y + box.height
            #expect(isApart || isInside, "\(box.node.name) and \(other.node.name)")
          }
        }
      }
    }
  }

  @Test("No line crosses a box other than those that it connects and those around them")
  func lines() throws {
    var random = SplitMix64(seed: 11)
    for size in [2, 3, 5, 8, 13, 40] {
      for _ in 0..<20 {
        var drawing = Self.random(size, &random)
        // What a link opens is in the first column, and may lead over several.
        let linked = "n\(Int.random(in: 0..<size, using: &random))"
        drawing.links = [.init(path: "there", steps: [.init(word: "push", target: linked)])]
        let blocks = GraphBlocks(drawing)
        for line in blocks.lines {
          guard let corners = line.points else { continue }
          let ends = [blocks.boxes[line.box], blocks.boxes[line.target]]
          let points = Self.points(between: corners)
          for box in blocks.boxes {
            let isOfEnds = ends.contains { end in
              end.block == box.block && end.corner.x >= box.corner.x && end.corner.y >= box.corner.y
                && end.corner.y + end.height <= box.corner.y + box.height
            }
            if isOfEnds { continue }
            let crossing = points.first { point in
              point.x > Double(box.corner.x) && point.x < Double(box.corner.x + box.width)
                && point.y > Double(box.corner.y) && point.y < Double(box.corner.y + box.height)
            }
            #expect(crossing == nil, "\(ends.map(\.node.name)) and \(box.node.name)")
          }
          #expect(points.allSatisfy { $0.x <= Double(blocks.width + GraphBlocks.lineRoom) })
        }
      }
    }
  }

  private struct Point: Equatable {
    let x: Double
    let y: Double
  }

  /// Points of a line, at most some pixels apart.
  private static func points(between corners: [LayeredLayout.Point]) -> [Point] {
    var points = [Point(x: Double(corners[0].x), y: Double(corners[0].y))]
    for (from, to) in zip(corners, corners.dropFirst()) {
      let (start, end) = (points[points.count - 1], Point(x: Double(to.x), y: Double(to.y)))
      let bend = from.y == to.y ? nil : Double(GraphBlocks.bend(from: from, to: to))
      for step in 1...40 {
        let t = Double(step) / 40
        func at(_ first: Double, _ second: Double, _ third: Double, _ last: Double) -> Double {
          let u = 1 - t
          return u * u * u * first + 3 * u * u * t * second + 3 * u * t * t * third
            + t * t * t * last
        }
        points.append(
          Point(
            x: at(start.x, bend ?? start.x, bend ?? end.x, end.x),
            y: at(start.y, start.y, end.y, end.y)))
      }
    }
    return points
  }

  @Test("Lines that lead back pass between the boxes of the columns that they cross")
  func passages() throws {
    // A chain, and from its end a way back to each node.
    let names = (0..<8).map { "n\($0)" }
    let drawing = GraphDrawing(
      nodes: names.map { GraphDrawing.Node(name: $0) },
      routes: zip(names, names.dropFirst()).map {
        .init(from: $0, action: "on", verbs: [.init(word: "push", target: $1)])
      }
        + names.dropLast().map {
          .init(from: "n7", action: "to\($0)", verbs: [.init(word: "popTo", target: $0)])
        },
      start: "n0")
    let blocks = GraphBlocks(drawing)
    var crossed = 0
    var far = 0
    for line in blocks.lines {
      guard let points = line.points else {
        far += 1
        continue
      }
      // The level parts between those that leave and reach the columns of the boxes.
      let passages = points.dropFirst(2).dropLast(2)
      crossed += passages.count / 2
      for (index, start) in passages.enumerated() where index.isMultiple(of: 2) {
        let end = points[index + 3]
        #expect(start.y == end.y && start.x > end.x)
        for box in blocks.boxes where box.corner.x < start.x && box.corner.x + box.width > end.x {
          #expect(start.y < box.corner.y || start.y > box.corner.y + box.height)
        }
      }
    }
    // Back from the eighth column to the second, and so on; the longest one is not drawn.
    #expect(crossed == 5 + 4 + 3 + 2 + 1)
    #expect(far == 1)
  }

  @Test("The picture is XML, whatever the names are, and the same each time")
  func markup() throws {
    let name = "a<b>&\"'\u{1b}[31m\u{202E}\u{FFFE}]]>"
    let drawing = GraphDrawing(
      title: name,
      nodes: [
        GraphDrawing.Node(name: name, feature: name, title: name, tabs: ["x"]), .init(name: "x"),
      ],
      routes: [.init(from: "x", action: name, verbs: [.init(word: "push", target: name)])],
      start: name)
    let picture = drawing.svg
    #expect(XMLParser(data: Data(picture.utf8)).parse())
    #expect(picture == drawing.svg)
    #expect(!picture.contains("\u{1b}"))
  }

  @Test("Ten thousand nodes are placed, in a chain, in a star, and each in the other's container")
  func large() throws {
    let names = (0..<10_000).map { "n\($0)" }
    let nodes = names.map { GraphDrawing.Node(name: $0) }
    let chain = GraphDrawing(
      nodes: nodes,
      routes: zip(names, names.dropFirst()).flatMap { before, after in
        [
          GraphDrawing.Route(
            from: before, action: "on", verbs: [.init(word: "push", target: after)]),
          GraphDrawing.Route(
            from: after, action: "home", verbs: [.init(word: "popTo", target: "n0")]),
        ]
      }, start: "n0")
    let star = GraphDrawing(
      nodes: nodes,
      routes: names.dropFirst().map {
        .init(from: "n0", action: $0, verbs: [.init(word: "push", target: $0)])
      }, start: "n0")
    let nested = GraphDrawing(
      nodes: zip(names, names.dropFirst() + [""]).map { name, inner in
        .init(name: name, tabs: inner.isEmpty ? [] : [inner])
      }, start: "n0")
    for drawing in [chain, star, nested] {
      #expect(GraphBlocks(drawing).boxes.count == 10_000)
      #expect(drawing.svg.utf8.count > 1_000_000)
    }
  }
}
