@_spi(Host) import AppCore
import Foundation
import TestSupport
import Testing

@Suite("StoreThread")
struct StoreThreadTests {
  private actor Worker {
    let thread: StoreThread
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
    private var numbers: [Int] = []

    init(_ name: String, stackSize: Int = StoreThread.defaultStackSize) {
      thread = StoreThread(name: name, stackSize: stackSize)
    }

    func name() -> String { threadName() }

    func add(_ number: Int) async {
      numbers.append(number)
      await Task.yield()
    }

    func count() -> Int { numbers.count }

    /// Makes and lets go of a box in a box in a box.
    func nest(_ depth: Int, _ count: LifeCount) -> Int {
      var box = Box(counted: Counted(0, count), inner: nil)
      for level in 1..<depth { box = Box(counted: Counted(level, count), inner: box) }
      return count.alive
    }
  }

  private final class Box: Sendable {
    let counted: Counted
    let inner: Box?
    init(counted: Counted, inner: Box?) {
      self.counted = counted
      self.inner = inner
    }
  }

  /// Whether the process has a thread with this name.
  private func isAlive(_ name: String) -> Bool {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return tasks.contains {
      let text = try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)
      return text?.trimmingCharacters(in: .newlines) == name
    }
  }

  @Test("Jobs run on the thread, one at a time, whoever they come from")
  func jobs() async {
    let worker = Worker("jobs-thread")
    #expect(await worker.name() == "jobs-thread")
    await withTaskGroup { group in
      for number in 0..<2000 { group.addTask { await worker.add(number) } }
    }
    #expect(await worker.count() == 2000)
    #expect(worker.thread.isIsolatingCurrentContext() == false)
  }

  @Test(
    "200,000 levels of nested boxes are destroyed on it",
    .notThreadSanitized("nests more than 65,536 calls"))
  func deepBoxes() async {
    let count = LifeCount()
    #expect(await Worker("deep-thread").nest(200_000, count) == 200_000)
    #expect(count.alive == 0)
  }

  @Test("A stack that can't be loaded is halved until it can")
  func hugeStack() async {
    #expect(await Worker("huge-thread", stackSize: 1 << 60).name() == "huge-thread")
  }

  @Test("The thread ends when its executor is gone")
  func end() async throws {
    do {
      let worker = Worker("ending-thread")
      await worker.add(1)
      #expect(isAlive("ending-thread"))
    }
    // The last job releases the executor, some time after this one.
    for _ in 0..<10_000 where isAlive("ending-thread") {
      try await Task.sleep(for: .milliseconds(1))
    }
    #expect(!isAlive("ending-thread"))
  }
}
