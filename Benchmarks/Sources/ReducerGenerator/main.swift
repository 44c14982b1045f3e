import Glibc

// Writes the reducers that the composition rows measure: 20 nested levels, and up to 200 siblings.
//
// They are not generic, because an app's reducers are not generic either.

/// A counter with `level` nested scopes.
func nested(_ level: Int) -> String {
  let child = "Level\(level - 1)"
  let hasChild = level > 0
  return """
    struct Level\(level): Reducer {
      struct State {
        var count = 0
    \(hasChild ? "    var child = \(child).State()" : "")
      }

      enum Action: ComponentAction {
        case add
        case set(Int)
    \(hasChild ? "    case child(\(child).Action)" : "")
      }

      var body: some Reducer<State, Action> {
        Reduce { state, action in
          switch action {
          case .add: state.count += 1
          case .set(let count): state.count = count
    \(hasChild ? "      case .child: break" : "")
          }
          return .none
        }
    \(hasChild ? "    Scope(state: \\.child, action: /Action.child) { \(child)() }" : "")
      }
    }
    """
}

/// A reducer with `width` sibling counters.
func siblings(_ width: Int) -> String {
  func lines(_ line: (Int) -> String) -> String {
    (0..<width).map { "    " + line($0) }.joined(separator: "\n")
  }
  return """
    struct Siblings\(width): Reducer {
      struct State {
    \(lines { "var child\($0) = 0" })
      }

      enum Action: ComponentAction {
    \(lines { "case child\($0)(RootCounter.Action)" })
      }

      var body: some Reducer<State, Action> {
    \(lines { "Scope(state: \\.child\($0), action: /Action.child\($0)) { RootCounter() }" })
      }
    }
    """
}

let reducers = (0...20).map(nested) + [1, 10, 100, 200].map(siblings)
let text = "import AppCore\n\n" + reducers.joined(separator: "\n\n") + "\n"
// The build passes one argument: the path of the file to write.
let path = CommandLine.arguments[1]
guard let file = fopen(path, "w"), fputs(text, file) >= 0, fclose(file) == 0 else {
  perror(path)
  exit(74)
}
