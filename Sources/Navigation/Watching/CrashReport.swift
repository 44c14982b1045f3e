/// The details of plugin code that ended its process.
package struct CrashReport: Hashable, Sendable {
  /// The plugin; empty if none is known to have run.
  package var plugin = ""
  /// The feature's full name; empty if none was called.
  package var feature = ""
  package var node = ""
  /// The instance, as people see it; empty if there is none.
  package var instance = ""
  /// The called method, such as `screen(_:)`.
  package var call = ""
  /// The action that was reduced; empty if none was, or it is not known.
  package var action = ""
  /// The plugin's file, and where in it the code is, as in `libPackages.so+0x1a2b`.
  package var place = ""
  /// The path of that file.
  package var file = ""
  /// The cause, such as `SIGSEGV`.
  package var cause = ""
  /// For how many seconds the app had not answered, where it was ended for that; else empty.
  package var hang = ""

  package init() {}

  /// Whether the code could be attributed.
  package var isAttributed: Bool { !plugin.isEmpty }

  /// Whether the process was ended because it did not answer.
  package var isHang: Bool { !hang.isEmpty }

  /// Notes that the process is ended because it has not answered for so long.
  package mutating func setHang(nanoseconds: Int) {
    hang = "\(nanoseconds / 1_000_000_000).\(nanoseconds / 100_000_000 % 10)"
    cause = "ended after \(hang) s"
  }

  private static var fields: [WritableKeyPath<CrashReport, String>] {
    [\.plugin, \.feature, \.node, \.instance, \.call, \.action, \.place, \.file, \.cause, \.hang]
  }

  /// The report as bytes: the fields one after the other, each with its end.
  package var bytes: [UInt8] {
    Self.fields.flatMap { path in
      Array(self[keyPath: path].utf8.lazy.filter { $0 != 0 }.prefix(1024)) + [0]
    }
  }

  /// Reads a report; `nil` if the bytes are none.
  package init?(_ bytes: [UInt8]) {
    let parts = bytes.split(separator: 0, omittingEmptySubsequences: false)
    guard parts.count == Self.fields.count + 1, parts.last?.isEmpty == true else { return nil }
    for (path, part) in zip(Self.fields, parts) {
      self[keyPath: path] = String(decoding: part, as: UTF8.self)
    }
  }
}

extension CallRecord.Kind {
  /// The method that is called, as it is written; empty if none is.
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
