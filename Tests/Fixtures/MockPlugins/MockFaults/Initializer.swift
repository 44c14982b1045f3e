internal import Glibc
internal import Synchronization

/// Runs when the file is loaded, before the host calls the plugin, and causes the fault that
/// `APPCORE_MOCK_FAULT` names; it does nothing unless that is set.
@used @section(".init_array")
let initializer: @convention(c) () -> Void = {
  fault(in: "load")
  if !isScanned { fault(in: "host-load") }
}

/// Whether this process only scans the plugin.
var isScanned: Bool {
  var bytes = [UInt8](repeating: 0, count: 4096)
  let file = open("/proc/self/cmdline", O_RDONLY)
  defer { close(file) }
  let count = read(file, &bytes, bytes.count)
  return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self).contains("__scan")
}

/// Causes the fault that the variable, such as `load:abort`, names for a step.
func fault(in step: String) {
  guard let variable = getenv("APPCORE_MOCK_FAULT") else { return }
  let parts = String(cString: variable).split(separator: ":")
  guard parts.count == 2, parts[0] == step else { return }
  switch parts[1] {
  case "abort":
    let words: StaticString = "the licence is not found\n"
    _ = write(2, words.utf8Start, words.utf8CodeUnitCount)
    abort()
  case "exit": exit(3)
  case "print": print("one\n\u{1b}[31mtwo \u{202e}")
  case "hostile":
    let words: StaticString = "\u{1b}]0;x\u{7}\u{202e}\u{200b}\n> \n"
    _ = write(2, words.utf8Start, words.utf8CodeUnitCount)
    abort()
  case "trap": UnsafeMutablePointer<Int>(bitPattern: 16)?.pointee = 1
  case "race":
    // Several threads crash at the same time.
    for _ in 0..<8 {
      var thread = pthread_t()
      let trap: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { _ in
        UnsafeMutablePointer<Int>(bitPattern: 16)?.pointee = 1
        return nil
      }
      pthread_create(&thread, nil, trap, nil)
    }
    pause()
  case "contend":
    // While this thread initializes a global and holds a lock, another one waits for them.
    var thread = pthread_t()
    let ask: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { _ in
      usleep(50_000)
      gate.withLock { $0 += late }
      return nil
    }
    pthread_create(&thread, nil, ask, nil)
    gate.withLock { count in
      usleep(100_000)
      count += late
    }
    pthread_join(thread, nil)
    pthread_create(
      &thread, nil,
      { _ in
        usleep(50_000)
        return UnsafeMutableRawPointer(bitPattern: later)
      }, nil)
    print(later)
    pthread_join(thread, nil)
  // Reaches out of the process that scans the plugin.
  case "kill": kill(getppid(), SIGKILL)
  case "leave":
    // Leaves a process that would outlive this one.
    var id: pid_t = 0
    let arguments = [strdup("sleep"), strdup("600"), nil]
    posix_spawnp(&id, "sleep", nil, nil, arguments, environ)
    while true { pause() }
  case "descriptors": while open("/dev/null", O_RDONLY) >= 0 {}
  case "hang": while true { pause() }
  case "spin": while true {}
  case "flood": while true { puts("again and again") }
  case "hog":
    while true {
      guard let memory = malloc(1 << 24) else { abort() }
      memset(memory, 1, 1 << 24)
    }
  case "overflow": print(overflow(1))
  default: break
  }
}

private let gate = Mutex(0)

/// Globals whose initialization takes long enough for another thread to ask for them meanwhile.
private let late: Int = {
  usleep(1000)
  return 1
}()
private let later: Int = {
  usleep(100_000)
  return 1
}()

/// Recurses until the stack overflows; the system calls keep the optimizer from noticing that the
/// recursion never ends.
@inline(never)
private func overflow(_ depth: Int) -> Int {
  getpid() < 0 ? depth : overflow(depth &+ 1) &+ Int(getpid())
}
