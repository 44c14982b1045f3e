internal import AppCore
internal import Glibc

/// Fails at the place and in the way that the user types: `reduce trap`, `screen kill`.
struct Faulty: Feature {
  struct Arguments: Codable, Sendable {
    /// The fault of an instance when its initial state is created; `nil` for none.
    var fault: String?
  }

  struct State: Codable, Sendable, Hashable {
    var count = 0
    /// The place and the kind of a later fault; empty for none.
    var planned = ""

    init() {}

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      count = try container.decode(Int.self, forKey: .count)
      planned = try container.decode(String.self, forKey: .planned)
      fault("decode", planned)
      if planned.hasPrefix("migrate") {
        throw DecodingError.dataCorruptedError(
          forKey: .planned, in: container, debugDescription: "it is to be migrated")
      }
    }

    func encode(to encoder: any Encoder) throws {
      fault("encode", planned)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(count, forKey: .count)
      try container.encode(planned, forKey: .planned)
    }

    private enum CodingKeys: String, CodingKey { case count, planned }
  }

  enum Action: FeatureAction {
    enum View: Codable, Sendable, Hashable {
      case addTapped
      case faultTyped(String)
    }
    enum Delegate: Codable, Sendable, Hashable { case opened(fault: String) }
    case view(View)
    case delegate(Delegate)
  }

  static func migrate(_ old: Value, from version: String) -> Value {
    guard case .object(var fields) = old, case .string(let planned)? = fields["planned"] else {
      return old
    }
    fault("migrate", planned)
    fields["planned"] = .string("")
    return .object(fields)
  }

  func initialState(_ arguments: Arguments) -> State {
    fault("initialState", arguments.fault ?? "")
    return State()
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.addTapped): state.count += 1
    case .view(.faultTyped(let text)):
      fault("reduce", text)
      if text.hasPrefix("initialState") || text == "open" {
        return .send(.delegate(.opened(fault: text)))
      }
      if text.hasPrefix("later /") { return .run { _ in try await faultLater(text) } }
      if text.hasPrefix("effect") { return .run { _ in fault("effect", text) } }
      state.planned = text
    case .delegate: break
    }
    return .none
  }

  func didRestore(_ state: inout State) -> Effect<Action> {
    fault("didRestore", state.planned)
    return .none
  }

  func willEnd(_ state: inout State) -> Effect<Action> {
    fault("willEnd", state.planned)
    return .none
  }

  func screen(_ state: State) -> Screen<Action> {
    fault("screen", state.planned)
    return Screen("Faulty") { screen in
      screen.text("Count \(state.count)")
      screen.button("Add", id: "add", action: .addTapped)
      screen.field("Fault", id: "fault", text: "") { .faultTyped($0) }
    }
  }
}

/// Traps as soon as a file exists: `later /tmp/now`.
private func faultLater(_ text: String) async throws {
  while access(String(text.dropFirst("later ".count)), F_OK) != 0 {
    try await Task.sleep(for: .milliseconds(10))
  }
  fault("effect", "effect trap")
}

/// Causes the fault that a text such as `reduce trap` describes, if it names this place.
private func fault(_ place: String, _ text: String) {
  let words = text.split(separator: " ")
  guard words.count == 2, words[0] == place else { return }
  switch words[1] {
  case "trap": preconditionFailure("it was told to")
  case "unfinished":
    // Without a newline.
    "half a line".utf8CString.withUnsafeBytes {
      _ = write(STDOUT_FILENO, $0.baseAddress, $0.count - 1)
    }
    preconditionFailure("it was told to")
  case "segv": UnsafeMutablePointer<Int>(bitPattern: 16)?.pointee = 1
  case "bus": raise(SIGBUS)
  case "abort": abort()
  case "exit": exit(3)
  case "quit": _exit(3)
  case "kill": kill(getpid(), SIGKILL)
  case "overflow": print(overflow(1))
  case "loop": while true {}
  case "memory":
    while true {
      guard let memory = malloc(1 << 24) else { abort() }
      memset(memory, 1, 1 << 24)
      // Slowly, so that the machine's memory is not exhausted at once.
      usleep(1000)
    }
  case "deaf":
    for number in [SIGTERM, SIGHUP, SIGINT, SIGURG] { signal(number, SIG_IGN) }
    while true {}
  case "pipe":
    signal(SIGPIPE, SIG_DFL)
    raise(SIGPIPE)
  case "stop": raise(SIGSTOP)
  case "close0": close(0)
  case "close1": close(1)
  case "close2": close(2)
  case "close": for descriptor: Int32 in 3..<256 { close(descriptor) }
  case "index": print([Int]()[text.utf8.count])
  case "thread": pthread_exit(nil)
  case "throw": throwInC()
  case "descriptors":
    for descriptor: Int32 in 3..<256 { close(descriptor) }
    abort()
  case "handlers":
    signal(SIGSEGV, SIG_DFL)
    UnsafeMutablePointer<Int>(bitPattern: 16)?.pointee = 1
  case "scribble": scribble()
  case "report": RuntimeIssue.report("it was told to with '\(text)'")
  default: break
  }
}

/// Throws an exception of C++, which nothing catches.
private func throwInC() {
  typealias Throw = @convention(c) (UnsafePointer<CChar>) -> Void
  // std::__throw_length_error(char const*)
  guard let found = dlsym(nil, "_ZSt20__throw_length_errorPKc") else { abort() }
  unsafeBitCast(found, to: Throw.self)("it was told to")
}

/// Recurses until the stack overflows.
@inline(never)
private func overflow(_ depth: Int) -> Int { depth == 0 ? 0 : overflow(depth &+ 1) &+ 1 }

/// Overwrites the writable memory of the process, except for the current stack and for mappings of
/// 16 MiB or more, and kills the process.
private func scribble() {
  guard let maps = fopen("/proc/self/maps", "r") else { return }
  var ranges: [(start: UInt, end: UInt)] = []
  var line = [CChar](repeating: 0, count: 1024)
  let here = withUnsafePointer(to: &line) { UInt(bitPattern: $0) }
  while fgets(&line, Int32(line.count), maps) != nil {
    let bytes = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    let parts = String(decoding: bytes, as: UTF8.self).split(separator: " ")
    guard parts.count > 1, parts[1].hasPrefix("rw") else { continue }
    let ends = parts[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
    guard ends.count == 2, !(ends[0]..<ends[1]).contains(here), ends[1] - ends[0] < 1 << 24
    else { continue }
    ranges.append((ends[0], ends[1]))
  }
  ranges.withUnsafeBufferPointer { ranges in
    let own = UInt(bitPattern: ranges.baseAddress)
    // The mapping that holds `ranges` comes last.
    for isOwn in [false, true] {
      for (start, end) in ranges where (start..<end).contains(own) == isOwn {
        guard let memory = UnsafeMutableRawPointer(bitPattern: start) else { continue }
        memset(memory, 0xa5, Int(end - start))
        if isOwn { kill(getpid(), SIGKILL) }
      }
    }
  }
}
