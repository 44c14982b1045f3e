internal import Dispatch
package import Foundation
package import Testing

/// A headless browser, driven by the Chrome DevTools Protocol.
///
/// The page's content security policy does not apply to evaluated expressions, as it does not apply
/// to those typed into the browser's console.
package final class Browser: @unchecked Sendable {
  // Unchecked: the mutable state is guarded by `lock`.
  /// The error that a command failed or the browser has ended.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// The result of a command.
  package struct Answer: @unchecked Sendable {
    // Unchecked: the values are read from JSON and never mutated.
    fileprivate let fields: [String: Any]

    /// The string in a field; empty if the field is missing or not a string.
    package func text(_ field: String) -> String { fields[field] as? String ?? "" }

    fileprivate func object(_ field: String) -> Answer? {
      (fields[field] as? [String: Any]).map(Answer.init)
    }
  }

  /// The path of the program `chromium`; `nil` if it is not installed.
  package static let program = Program.find("chromium")

  private let process: ChildProcess
  private let profile: TemporaryFolder
  private let commands: FileHandle
  private let lock = NSLock()
  /// The number of commands so far.
  private var count = 0
  /// The commands without an answer yet, by number.
  private var waiting: [Int: CheckedContinuation<Result<Answer, Failure>, Never>] = [:]
  private var events: [(method: String, parameters: [String: Any])] = []
  private var hasEnded = false

  /// Starts the browser.
  ///
  /// - Throws: ``Failure`` if it is not installed, or an error if it can't be started.
  package init() throws {
    guard let program = Self.program else { throw Failure(description: "there is no chromium") }
    profile = try TemporaryFolder()
    let input = Pipe()
    let output = Pipe()
    commands = input.fileHandleForWriting
    let arguments = [
      "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
      "--no-first-run", "--disable-background-networking", "--disable-extensions",
      "--remote-debugging-pipe", "--user-data-dir=\(profile.path)", "--window-size=1400,900",
      "about:blank",
    ]
    // The browser reads commands from descriptor 3, and writes answers to descriptor 4.
    process = try ChildProcess(
      "/bin/sh", ["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null", program] + arguments,
      input: input.fileHandleForReading, output: output.fileHandleForWriting)
    try? input.fileHandleForReading.close()
    try? output.fileHandleForWriting.close()
    let answers = output.fileHandleForReading
    Thread.detachNewThread { [weak self] in
      var buffer = Data()
      while case let bytes = answers.availableData, !bytes.isEmpty {
        buffer += bytes
        while let end = buffer.firstIndex(of: 0) {
          self?.receive(Data(buffer[..<end]))
          buffer = Data(buffer[(end + 1)...])
        }
      }
      self?.end()
    }
  }

  deinit { process.send(SIGKILL) }

  /// The path of its profile folder, which its processes have in their arguments.
  package var profilePath: String { profile.path }

  /// Kills the browser, and waits until it has ended.
  package func close() async {
    process.send(SIGKILL)
    _ = await process.end()
  }

  /// Opens a page, and waits until it is loaded.
  package func open(_ url: URL) async throws -> Page {
    let target = try await call("Target.createTarget", ["url": "about:blank"])
    let session = try await call(
      "Target.attachToTarget", ["targetId": target.text("targetId"), "flatten": true])
    let page = Page(self, session.text("sessionId"))
    for domain in ["Page", "Runtime", "Network", "Log"] { try await page.call(domain + ".enable") }
    // Makes keys reach the page even before the browser gives it the focus.
    try await page.call("Emulation.setFocusEmulationEnabled", ["enabled": true])
    try await page.call("Page.navigate", ["url": url.absoluteString])
    try await page.wait(
      for: "document.readyState === 'complete' && location.href !== 'about:blank'")
    return page
  }

  /// An open page.
  package struct Page: Sendable {
    private let browser: Browser
    private let session: String

    fileprivate init(_ browser: Browser, _ session: String) {
      (self.browser, self.session) = (browser, session)
    }

    /// Calls a method of the protocol for this page.
    @discardableResult
    package func call(
      _ method: String, _ parameters: [String: any Sendable] = [:]
    ) async throws -> Answer {
      try await browser.call(method, parameters, session: session)
    }

    /// The value of a JavaScript expression, as text; promises are awaited.
    @discardableResult
    package func evaluate(_ expression: String) async throws -> String {
      let answer = try await call(
        "Runtime.evaluate",
        [
          "expression": "(async () => String(await (\(expression))))()", "awaitPromise": true,
          "returnByValue": true,
        ])
      if let exception = answer.object("exceptionDetails") {
        throw Failure(description: "\(expression): \(exception.fields)")
      }
      return answer.object("result")?.text("value") ?? ""
    }

    /// Sets media features, such as `prefers-color-scheme`.
    package func emulate(_ features: [String: String]) async throws {
      try await call(
        "Emulation.setEmulatedMedia",
        ["features": features.map { ["name": $0.key, "value": $0.value] }])
    }

    /// Waits until a JavaScript expression is true.
    ///
    /// - Throws: ``Failure`` if it is not within five minutes.
    package func wait(for expression: String) async throws {
      let start = ContinuousClock.now
      while try await evaluate("Boolean(\(expression))") != "true" {
        guard start.duration(to: .now) < .seconds(Browser.timeout) else {
          throw Failure(description: "not true in \(Browser.timeout) s: \(expression)")
        }
        try await Task.sleep(for: .milliseconds(20))
      }
    }

    /// Presses and releases a key, named as in `KeyboardEvent.key`.
    package func press(_ key: String) async throws {
      var parameters: [String: any Sendable] = ["type": "keyDown", "key": key]
      let codes = [
        "ArrowDown": 40, "ArrowUp": 38, "Home": 36, "End": 35, "PageDown": 34, "Enter": 13,
        "Tab": 9, "Escape": 27,
      ]
      if let code = codes[key] { parameters["windowsVirtualKeyCode"] = code }
      if key.count == 1 { parameters["text"] = key }
      if key == "Enter" { parameters["text"] = "\r" }
      try await call("Input.dispatchKeyEvent", parameters)
      parameters["type"] = "keyUp"
      parameters["text"] = nil
      try await call("Input.dispatchKeyEvent", parameters)
    }

    /// The page's problems so far: script errors, policy violations and failed requests.
    package var problems: [String] {
      browser.events(of: session).compactMap { method, parameters in
        switch method {
        case "Runtime.exceptionThrown": "\(parameters)"
        case "Log.entryAdded":
          ((parameters["entry"] as? [String: Any])?["text"] as? String) ?? "\(parameters)"
        default: nil
        }
      }
    }

    /// The URLs that the page has requested.
    package var requests: [String] {
      browser.events(of: session).compactMap { method, parameters in
        method == "Network.requestWillBeSent"
          ? (parameters["request"] as? [String: Any])?["url"] as? String : nil
      }
    }
  }

  fileprivate func events(
    of session: String
  ) -> [(method: String, parameters: [String: Any])] {
    lock.withLock { events.filter { $0.parameters["appcore.session"] as? String == session } }
  }

  private func call(
    _ method: String, _ parameters: [String: any Sendable], session: String? = nil
  ) async throws -> Answer {
    let number = lock.withLock {
      count += 1
      return count
    }
    var message: [String: Any] = ["id": number, "method": method, "params": parameters]
    if let session { message["sessionId"] = session }
    let bytes = try JSONSerialization.data(withJSONObject: message) + [0]
    return try await withCheckedContinuation { continuation in
      let isGone = lock.withLock {
        if !hasEnded { waiting[number] = continuation }
        return hasEnded
      }
      if isGone { return continuation.resume(returning: .failure(Self.gone)) }
      try? commands.write(contentsOf: bytes)
      DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Self.timeout)) { [weak self] in
        self?.giveUp(number, method)
      }
    }.get()
  }

  /// How long to wait for an answer, or for a page to become as it should, in seconds.
  fileprivate static let timeout = 300

  /// Fails a command that has no answer yet, and kills the browser.
  private func giveUp(_ number: Int, _ method: String) {
    guard let continuation = lock.withLock({ waiting.removeValue(forKey: number) }) else { return }
    process.send(SIGKILL)
    continuation.resume(
      returning: .failure(Failure(description: "no answer to \(method) in \(Self.timeout) s")))
  }

  private static let gone = Failure(description: "the browser has ended")

  private func receive(_ bytes: Data) {
    guard let message = try? JSONSerialization.jsonObject(with: bytes) as? [String: Any] else {
      return
    }
    guard let number = message["id"] as? Int else {
      var parameters = message["params"] as? [String: Any] ?? [:]
      parameters["appcore.session"] = message["sessionId"]
      lock.withLock { events.append((message["method"] as? String ?? "", parameters)) }
      return
    }
    let continuation = lock.withLock { waiting.removeValue(forKey: number) }
    if let error = message["error"] {
      continuation?.resume(returning: .failure(Failure(description: "\(error)")))
    } else {
      let result = Answer(fields: message["result"] as? [String: Any] ?? [:])
      continuation?.resume(returning: .success(result))
    }
  }

  private func end() {
    let waiting = lock.withLock {
      hasEnded = true
      defer { self.waiting = [:] }
      return self.waiting
    }
    for continuation in waiting.values { continuation.resume(returning: .failure(Self.gone)) }
  }
}

extension Trait where Self == ConditionTrait {
  /// Runs a test only if Chromium is installed.
  package static var browser: Self {
    .enabled(if: Browser.program != nil, "it needs chromium: apt-get install chromium")
  }
}
