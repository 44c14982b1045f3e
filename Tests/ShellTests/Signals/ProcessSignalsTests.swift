import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Supervision

/// The owner of the process's signals; what it does when they end a process is tried with the program.
@Suite("The owner of the signals", .serialized)
struct ProcessSignalsTests {
  /// What the handlers of this suite have done.
  private static let restored = Atomic<Int>(0)
  private static let retaken = Atomic<Int>(0)
  private static let former = Atomic<Int>(0)

  @Test("A signal that is forwarded is a byte, and nothing else, until that ends")
  func forwarding() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    ProcessSignals.forward([SIGWINCH: 1, SIGCONT: 2], to: ends[1])
    var bytes = [UInt8](repeating: 0, count: 8)
    raise(SIGCONT)
    raise(SIGWINCH)
    #expect(read(ends[0], &bytes, bytes.count) == 2)
    #expect(bytes[..<2] == [2, 1])
    ProcessSignals.stopForwarding()
    raise(SIGCONT)
    raise(SIGWINCH)
    #expect(read(ends[0], &bytes, bytes.count) == -1)
  }

  @Test("A handler that was there before is called, with the terminal given back and taken again")
  func formerHandler() {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in
      guard ProcessSignalsTests.restored.load(ordering: .relaxed) == 1 else { return }
      ProcessSignalsTests.former.add(1, ordering: .relaxed)
    }
    sigaction(SIGUSR2, &action, nil)
    ProcessSignals.guardTerminal { forGood in
      ProcessSignalsTests.restored.add(forGood ? 100 : 1, ordering: .relaxed)
      return true
    } retake: {
      ProcessSignalsTests.retaken.add(1, ordering: .relaxed)
    }
    raise(SIGUSR2)
    #expect(Self.restored.load(ordering: .relaxed) == 1)
    #expect(Self.former.load(ordering: .relaxed) == 1)
    #expect(Self.retaken.load(ordering: .relaxed) == 1)
  }

  @Test("Nobody else in the host installs a handler")
  func sources() throws {
    let sources = packageFolder.appendingPathComponent("Sources")
    let files = try #require(FileManager.default.enumerator(atPath: sources.path))
      .compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }
    #expect(files.count > 200)
    // The supervisor is a process of its own, which waits for signals and handles none.
    let supervisor = [
      "Supervision/Supervisor/WorkerWatch.swift", "PluginHost/System/GNUFunctions.swift",
    ]
    for file in files
    where !file.hasPrefix("Supervision/Signals/ProcessSignals") && !supervisor.contains(file) {
      let text = try String(contentsOfFile: sources.path + "/" + file, encoding: .utf8)
      #expect(
        !text.contains(
          /sigaction\b|[^.\w]signal\((SIG\w+|\w+), (?!SIG_DFL\))|signalfd|makeSignalSource/),
        "\(file) installs a handler")
    }
  }
}
