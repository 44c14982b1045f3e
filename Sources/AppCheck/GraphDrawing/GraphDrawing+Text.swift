internal import Navigation
public import Support

extension GraphDrawing {
  /// The drawing as lines: a block for each node and its routes, and then the links.
  ///
  /// Nodes are in the order in which routes reach them from the start; unreachable nodes follow. Each
  /// node has one block, and routes name their targets, so cycles need no special case.
  /// - Complexity: linear in nodes and routes.
  public func lines(width: Int, style: Style = .plain) -> [String] {
    if style.isLinear { return linearLines }
    let width = max(width, 20)
    let outgoing = Dictionary(grouping: routes, by: \.from)
    let (reached, others) = order
    var lines: [StyledLine] = []
    for node in reached { lines += block(node, outgoing[node.name] ?? [], width) }
    if !others.isEmpty {
      lines += [StyledLine(), StyledLine("No route leads to:", .warning)]
      for node in others { lines += block(node, outgoing[node.name] ?? [], width) }
    }
    if !links.isEmpty { lines += linkLines(width) }
    if lines.isEmpty { lines = [StyledLine("There are no nodes.", .dim)] }
    if current != nil { lines += [StyledLine()] + legend(width) }
    return lines.dropFirst(lines.first?.pieces.isEmpty == true ? 1 : 0).map { $0.text(style) }
  }

  /// A line of a block: its prefix and three columns.
  private struct Row {
    var cells: [String]
    var role = Role.plain
    /// Whether a branch begins in this line; otherwise the one above continues.
    var isBranch = true
  }

  private func block(_ node: Node, _ routes: [Route], _ width: Int) -> [StyledLine] {
    let isCurrent = node.name == current
    let mark = isCurrent ? "▶ " : visited.contains(node.name) ? "● " : "○ "
    var head = StyledLine(mark, isCurrent ? .success : .plain)
    head.append(
      TextLayout.truncate(SafeText.line(node.name), to: width - 2),
      isCurrent || node.name == start ? .strong : .plain)
    let note = notes(node).joined(separator: " · ")
    let room = width - head.width - 2
    if !note.isEmpty, room >= 6 {
      head.append("  " + TextLayout.truncate(note, to: room), .dim)
    }
    let rows = partRows(node) + routes.flatMap { verbRows(of: $0) }
    return [StyledLine(), head] + branches(rows, width)
  }

  private func notes(_ node: Node) -> [String] {
    var notes: [String] = []
    if node.name == start { notes.append("start") }
    if background.contains(node.name) { notes.append("in the background") }
    return notes + node.facts.map(SafeText.line)
  }

  private func partRows(_ node: Node) -> [Row] {
    node.tabs.map { Row(cells: ["tab", "", "→ " + SafeText.line($0)], role: .dim) }
      + node.background.map {
        Row(cells: ["background", "", "→ " + SafeText.line($0)], role: .dim)
      }
  }

  /// A route's rows: one for each verb, the action beside the first.
  private func verbRows(of route: Route) -> [Row] {
    let wasTaken = travelled.contains(RouteKey(node: route.from, action: route.action))
    let arrow = wasTaken ? "⇒ " : "→ "
    return route.verbs.enumerated().map { index, verb in
      var target = verb.target.map { arrow + ($0 == route.from ? "itself" : $0) } ?? ""
      if target.isEmpty, wasTaken { target = "⇒" }
      return Row(
        cells: [index == 0 ? route.action : "", verb.word, target + verb.optionText]
          .map(SafeText.line),
        role: wasTaken ? .strong : .plain, isBranch: index == 0)
    }
  }

  private func branches(_ rows: [Row], _ width: Int) -> [StyledLine] {
    let room = width - 4
    let fit = TextLayout.columnWidths(["", "", ""], rows.map(\.cells), width: room)
    let last = rows.lastIndex(where: \.isBranch)
    return rows.enumerated().flatMap { index, row -> [StyledLine] in
      let wasRestored = index < (last ?? 0)
      let rest = StyledLine(wasRestored ? "  │ " : "    ", .dim)
      let branch = row.isBranch ? StyledLine(wasRestored ? "  ├ " : "  └ ", .dim) : rest
      guard let fit else {
        let text = row.cells.filter { !$0.isEmpty }.joined(separator: " ")
        return TextLayout.wrap(text, to: room).enumerated().map { part, line in
          (part == 0 ? branch : rest) + StyledLine(line, row.role)
        }
      }
      var line = branch
      for (column, text) in row.cells.enumerated() {
        let cut = TextLayout.truncate(text, to: fit[column])
        line.append(
          TextLayout.pad(cut, to: fit[column]),
          column == 1 && row.role == .plain ? .dim : row.role)
        if column < 2 { line.append("  ") }
      }
      return [line]
    }
  }

  private func linkLines(_ width: Int) -> [StyledLine] {
    var lines = [StyledLine(), StyledLine("Links", .strong)]
    for link in links {
      let way = link.steps.map { step in
        step.word == "push" || step.word == "select"
          ? step.target ?? step.word : step.labelText
      }
      var text = link.path + " → " + way.joined(separator: " › ")
      if let needs = link.needs { text += " · needs \(needs)" }
      let parts = TextLayout.wrap(SafeText.line(text), to: width - 4)
      lines += parts.enumerated().map { StyledLine(($0 == 0 ? "  " : "    ") + $1) }
    }
    return lines
  }

  private func legend(_ width: Int) -> [StyledLine] {
    var text = "▶ you are here   ● on the way here   ○ elsewhere"
    if !travelled.isEmpty { text += "   ⇒ taken" }
    return TextLayout.wrap(text, to: width).map { StyledLine($0, .dim) }
  }

  /// The drawing in words, a line for each node, route and link, for screen readers.
  var linearLines: [String] {
    let outgoing = Dictionary(grouping: routes, by: \.from)
    let (reached, others) = order
    var lines = reached.flatMap { linear($0, outgoing[$0.name] ?? []) }
    if !others.isEmpty { lines.append("No route leads to:") }
    lines += others.flatMap { linear($0, outgoing[$0.name] ?? []) }
    for link in links {
      let steps = link.steps.map(\.labelText).joined(separator: ", then ")
      lines.append("link \(SafeText.line(link.path)): " + SafeText.line(steps))
    }
    return lines.isEmpty ? ["There are no nodes."] : lines
  }

  private func linear(_ node: Node, _ routes: [Route]) -> [String] {
    var words = [node.name]
    if node.name == start { words.append("start") }
    if node.name == current {
      words.append("you are here")
    } else if visited.contains(node.name) {
      words.append("on the way here")
    }
    if let title = node.title, !title.isEmpty { words.append("title \(title)") }
    if let feature = node.feature { words.append("feature \(feature)") }
    if !node.tabs.isEmpty { words.append("tabs " + node.tabs.joined(separator: " and ")) }
    return [words.map(SafeText.line).joined(separator: ", ")]
      + routes.map { route in
        let verbs = route.verbs.map(\.labelText).joined(separator: ", then ")
        return "  " + SafeText.line(route.action + ": " + verbs)
      }
  }
}
