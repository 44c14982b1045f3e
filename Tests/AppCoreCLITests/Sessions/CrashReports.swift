import Foundation
import TestSupport

/// The folder of reports of an app that crashes, in a state folder of its own.
struct CrashReports {
  let state: TemporaryFolder
  var folder: URL { state.url.appendingPathComponent("appcore/crashes") }
  var environment: [String: String] { ["XDG_STATE_HOME": state.path] }

  init() throws { state = try TemporaryFolder() }

  struct Report: Decodable {
    struct Plugin: Decodable {
      let name: String
      let version, digest, buildID: String?
    }
    struct Frame: Decodable {
      let module, offset: String
    }
    let kind, outcome, cause, time, appcore: String
    let app, version, lock, feature, node, instance, call, action, hang, suspension: String?
    let plugin: Plugin?
    let place: Frame?
    let calls: [Frame]
    let log: [String]
  }

  var names: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted { Self.number($0) < Self.number($1) }
  }

  private static func number(_ name: String) -> Int {
    Int(name.split(separator: "-").last?.dropLast(".json".count) ?? "") ?? 0
  }

  var all: [Report] {
    get throws { try names.map { try report($0) } }
  }

  private func report(_ name: String) throws -> Report {
    let data = try Data(contentsOf: folder.appendingPathComponent(name))
    return try JSONDecoder().decode(Report.self, from: data)
  }

  /// Waits until there are as many reports: a supervisor writes one while the app is restored.
  func last(of count: Int = 1) throws -> Report {
    for _ in 0..<200 where names.count < count { usleep(20_000) }
    return try report(names.last ?? "none")
  }
}
