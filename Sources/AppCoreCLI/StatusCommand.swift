@_spi(Host) internal import AppCore
internal import ArgumentParser
internal import Support

/// `appcore status`: what a running app tells at its socket of itself.
struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show the state of a running app.",
    usage: "appcore status <path> [--json | --prometheus]",
    discussion: """
      The app runs with 'appcore run --socket PATH'.

      Examples:
        appcore status /run/console/socket
        appcore status /run/console/socket --prometheus
      """)

  /// How long the app's supervisor may take to answer, in milliseconds.
  private static let patience: Int32 = 5000

  @Argument(help: "The socket of the app.", completion: .file())
  var path: String

  @Flag(help: "Print JSON, for programs.")
  var json = false

  @Flag(help: "Print metrics, for a collector.")
  var prometheus = false

  func validate() throws {
    if json, prometheus {
      throw ValidationError("'--json' and '--prometheus' contradict each other; use one.")
    }
  }

  func run() throws {
    let client = try SocketClient(path, for: "status")
    while true {
      let objects = try client.next(within: Self.patience).objects
      if let status = objects.lazy.compactMap({ $0["status"] }).first {
        return show(Status(value: status))
      }
    }
  }

  private func show(_ status: Status) {
    guard !json else {
      return Console.print(status.value.readableJSON, terminator: "", as: .json)
    }
    Console.print((prometheus ? status.metrics : status.lines).joined(separator: "\n"))
  }
}

/// The fields of a status, or of a plugin in it.
private struct Status {
  let value: Value

  private func text(_ name: String) -> String? { value[name]?.text }

  private func number(_ name: String) -> Int {
    if case .int(let number)? = value[name] { number } else { 0 }
  }

  private func list(_ name: String) -> [Value] { value[name]?.elements ?? [] }

  private func texts(_ name: String) -> [String] { list(name).compactMap(\.text) }

  private var plugins: [Status] { list("plugins").map { Status(value: $0) } }

  private var responds: Bool { value["responds"] == true }

  /// The status for people.
  var lines: [String] {
    func words(_ parts: String?...) -> String { parts.compactMap(\.self).joined(separator: " ") }
    let host = text("appcore").map { "with appcore \($0)" }
    var lines = [words("app:", text("app") ?? "starting", text("version"), host)]
    if let lock = text("lock") { lines.append("lock: \(lock)") }
    lines += plugins.map {
      words("plugin:", $0.text("name"), $0.text("version"), $0.text("digest"))
    }
    lines += [
      "screen: \(texts("screen").joined(separator: " > "))",
      "responds: \(responds ? "yes" : "no")", "process: \(number("process"))",
      "uptime: \(number("uptime")) s", "memory: \(number("memory") >> 20) MiB",
      "crashes: \(number("crashes"))", "refused updates: \(number("refusedUpdates"))",
    ]
    lines += texts("suspensions").map { "suspended: \($0)" }
    return lines.map { SafeText.line($0) }
  }

  /// The status in the text format of Prometheus.
  var metrics: [String] {
    func metric(_ name: String, _ kind: String, _ help: String, _ samples: [String]) -> [String] {
      ["# HELP appcore_\(name) \(help)", "# TYPE appcore_\(name) \(kind)"]
        + samples.map { "appcore_\(name)\($0)" }
    }
    func gauge(_ name: String, _ value: Int, _ help: String) -> [String] {
      metric(name, "gauge", help, [" \(value)"])
    }
    func counter(_ name: String, _ value: Int, _ help: String) -> [String] {
      metric(name, "counter", help, [" \(value)"])
    }
    return metric(
      "info", "gauge", "The app and what it runs with.",
      [labels(["app", "version", "appcore", "lock"])])
      + metric(
        "plugin_info", "gauge", "The plugins of the app.",
        plugins.map { $0.labels(["name", "version", "digest"]) })
      + gauge("responds", responds ? 1 : 0, "Whether the app has answered within a second.")
      + gauge("uptime_seconds", number("uptime"), "Time since the app was started.")
      + gauge("memory_bytes", number("memory"), "Resident memory of the app's process.")
      + gauge(
        "suspended_instances", list("suspensions").count, "Instances that are not called any more.")
      + counter("crashes_total", number("crashes"), "Crashes and hangs that the app has survived.")
      + counter(
        "refused_updates_total", number("refusedUpdates"), "Updates refused since the last crash.")
  }

  /// The labels of a sample of the value 1, for the texts that are known.
  private func labels(_ names: [String]) -> String {
    let known = names.compactMap { name in
      text(name).map { text in
        let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
          .replacing("\n", with: "\\n")
        return "\(name)=\"\(escaped)\""
      }
    }
    return "{\(known.joined(separator: ","))} 1"
  }
}
