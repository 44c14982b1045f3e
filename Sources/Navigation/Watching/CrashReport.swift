internal import Support

/// A report about plugin code that ended its process.
package struct CrashReport: Hashable, Sendable {
  /// The plugin; empty if none is known to have run.
  package var plugin = ""
  /// The feature's full name; empty if none was called.
  package var feature = ""
  package var node = ""
  /// The instance, as it is displayed; empty if there is none.
  package var instance = ""
  /// The called method, such as `screen(_:)`.
  package var call = ""
  /// The action that was being reduced; empty if none was, or if it is unknown.
  package var action = ""
  /// The plugin's file and the offset of the code in it, as in `libPackages.so+0x1a2b`.
  package var place = ""
  /// The path of that file.
  package var file = ""
  /// The calls on the stack, the innermost first, a line each: the file, the offset, and the mangled
  /// name of the function if it is known.
  package var calls = ""
  /// The cause, such as `SIGSEGV`.
  package var cause = ""
  /// The number of seconds for which the app had not responded, if it was ended for that; otherwise
  /// empty.
  package var hang = ""

  package init() {}

  /// Whether the code could be attributed.
  package var isAttributed: Bool { !plugin.isEmpty }

  /// Whether the process was ended because it did not respond.
  package var isHang: Bool { !hang.isEmpty }

  /// Records that the process is ended because it has not responded for this long.
  package mutating func setHang(nanoseconds: Int) {
    hang = "\(nanoseconds / 1_000_000_000).\(nanoseconds / 100_000_000 % 10)"
    cause = "ended after \(hang) s"
  }

  private static var fields: [WritableKeyPath<CrashReport, String>] {
    [
      \.plugin, \.feature, \.node, \.instance, \.call, \.action, \.place, \.file, \.cause, \.hang,
      \.calls,
    ]
  }

  /// To how many bytes ``calls`` are cut when the report is encoded.
  package static let callsLimit = 4096

  /// The encoded report: the fields in order, cut to 1,024 bytes, or ``callsLimit`` for ``calls``,
  /// and NUL-terminated.
  package var bytes: [UInt8] {
    Self.fields.flatMap { path in
      Array(
        self[keyPath: path].utf8.lazy.filter { $0 != 0 }
          .prefix(path == \.calls ? Self.callsLimit : 1024))
        + [0]
    }
  }

  /// Decodes a report; `nil` if `bytes` is not an encoded report.
  package init?(_ bytes: [UInt8]) {
    let parts = bytes.split(separator: 0, omittingEmptySubsequences: false)
    guard parts.count == Self.fields.count + 1, parts.last?.isEmpty == true else { return nil }
    for (path, part) in zip(Self.fields, parts) {
      self[keyPath: path] = String(decoding: part, as: UTF8.self)
    }
  }
}

// A report in words.
extension CrashReport {
  /// The crash in a line: the feature or plugin, the call, the place in its file, and the cause.
  package var summary: String {
    let place = ([self.place] + [cause]).filter { !$0.isEmpty }.joined(separator: ", ")
    let verb = isHang ? "hung" : "crashed"
    guard isAttributed else {
      return SafeText.line("the app \(verb) (\(place)); no plugin is known to have run")
    }
    let owner = feature.isEmpty ? "plugin '\(plugin)'" : feature
    let call = call.isEmpty ? "" : " in \(call)"
    // A plugin may have overwritten the memory with the report.
    return SafeText.line("\(owner) \(verb)\(call) (\(place))")
  }

  /// ``action`` without its values.
  package var actionCase: String { Self.actionCase(action) }

  /// The case of an action without its values: `.view(.named(…))` of `.view(.named("Ada"))`.
  package static func actionCase(_ text: String) -> String {
    var depth = 0
    var rest = text[...]
    while rest.first == "." {
      rest = rest.dropFirst().drop { $0.isLetter || $0.isNumber || $0 == "_" }
      guard rest.first == "(" else { break }
      rest = rest.dropFirst()
      depth += 1
    }
    let known = text[..<rest.startIndex]
    guard let last = known.last, depth > 0 else { return String(known) }
    return String(known) + (last == "(" ? "…" : "") + String(repeating: ")", count: depth)
  }
}

extension CallRecord.Kind {
  /// The name of the called method; empty if none is called.
  package var method: String {
    switch self {
    case .none: ""
    case .action: "reduce(into:action:)"
    case .initialState: "initialState(_:)"
    case .didStart: "didStart(_:)"
    case .screen: "screen(_:)"
    case .takeOver: "State.init(from:)"
    case .didRestore: "didRestore(_:)"
    case .willEnd: "willEnd(_:)"
    case .encode: "State.encode(to:)"
    }
  }
}
