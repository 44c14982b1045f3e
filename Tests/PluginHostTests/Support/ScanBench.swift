import Foundation

@testable import PluginHost

/// A workshop with a scanner for what it makes.
struct ScanBench {
  let workshop: Workshop
  /// Sets the limits of the process.
  var limit: (inout ScanProcess) -> Void = { _ in }
  var form = ScanProgram.form
  /// The program to run; the one for plugins in C unless given.
  var program = ScanProgram.path
  var arguments: [String] = []
  var variables: [String: String] = [:]
  var rescans = false

  init() throws { workshop = try Workshop() }

  var process: ScanProcess {
    var environment = ["PATH": "/usr/bin:/bin", "RUNS": workshop.path("runs"), "FORM": form]
    environment.merge(variables) { $1 }
    var process = ScanProcess(
      executable: program, arguments: arguments, environment: environment)
    limit(&process)
    return process
  }

  func scanner(caching: Bool = true) throws -> PluginScanner {
    PluginScanner(
      process: process, form: form, cache: caching ? try cache() : nil, rescans: rescans)
  }

  func cache() throws -> ScanCache? {
    ScanCache(environment: workshop.environment, form: form)
  }

  func prepared(_ path: String) throws -> PreparedPlugin {
    let loader = workshop.loader()
    return try loader.prepare(try loader.open(path: path))
  }

  /// What a start finds of plugins: the answer of each, or what is said of it.
  func scan(_ paths: [String], caching: Bool = true) throws -> [String] {
    let scanner = try scanner(caching: caching)
    for path in paths { scanner.add(try prepared(path)) }
    return scanner.finish().map { result in
      switch result {
      case .success(let bytes): String(decoding: bytes, as: UTF8.self)
      case .failure(let problem): workshop.text(problem)
      }
    }
  }

  /// How many processes were started.
  var runs: Int {
    let text = try? String(contentsOfFile: workshop.path("runs"), encoding: .utf8)
    return text?.split(separator: "\n").count ?? 0
  }

  /// A plugin whose initializer runs these statements of C.
  func plugin(_ name: String, initializer: String, answer: String = "hello") throws -> String {
    try workshop.plugin(
      name, answer: answer,
      more: """
        #include <pthread.h>
        #include <signal.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <unistd.h>
        __attribute__((constructor)) static void start(void) { \(initializer) }
        """)
  }
}
