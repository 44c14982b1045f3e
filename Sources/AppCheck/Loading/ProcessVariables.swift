internal import Glibc

/// The variables of this process's environment.
public enum ProcessVariables {
  /// All of them; where a name appears twice, the first one counts, as for `getenv`.
  public static var all: [String: String] {
    var result: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      let pair = String(cString: text)
      if let equals = pair.firstIndex(of: "=") {
        let name = String(pair[..<equals])
        if result[name] == nil { result[name] = String(pair[pair.index(after: equals)...]) }
      }
      entry += 1
    }
    return result
  }
}
