/// What a scan found, as far as it is the plugin's doing: kept until the plugin's files change.
enum ScanResult: Hashable {
  /// What the plugin says of itself.
  case answer([UInt8])
  /// Why it is in quarantine.
  case quarantine(PluginProblem.Cause)

  /// The result of a failed scan; `nil` where the failure may be the machine's at that time.
  init?(failure cause: PluginProblem.Cause) {
    switch cause {
    case .scanFlood, .scanTimeout, .scanStatus, .scanMemory, .registration: break
    // SIGKILL, for one, is what the system sends when memory is scarce.
    case .scanSignal(let signal, _, _) where Self.faults.contains(signal): break
    default: return nil
    }
    self = .quarantine(cause)
  }

  /// SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV and SIGSYS: what code does to its process.
  private static let faults: Set<Int32> = [4, 5, 6, 7, 8, 11, 31]
}

extension ByteWriter {
  mutating func scanResult(_ scanResult: ScanResult) {
    func cause(_ kind: UInt8, _ number: Int64, _ step: ScanStep, _ tail: String) {
      byte(kind)
      word(UInt64(bitPattern: number))
      byte(step.rawValue)
      string(tail)
    }
    switch scanResult {
    case .answer(let bytes):
      byte(0)
      data(bytes)
    case .quarantine(.scanSignal(let signal, let step, let tail)):
      cause(1, Int64(signal), step, tail)
    case .quarantine(.scanStatus(let status, let step, let tail)):
      cause(2, Int64(status), step, tail)
    case .quarantine(.scanTimeout(let time, let step, let tail)):
      let (seconds, rest) = time.components
      cause(3, seconds &* 1000 &+ rest / 1_000_000_000_000_000, step, tail)
    case .quarantine(.scanFlood(let limit, let step, let tail)):
      cause(4, Int64(limit), step, tail)
    case .quarantine(.scanMemory(let use, let limit, let step, let tail)):
      cause(6, Int64(clamping: use), step, tail)
      word(limit)
    case .quarantine(.registration(let why)):
      byte(5)
      string(why)
    // No other cause becomes a result; read back, this is none.
    case .quarantine: byte(.max)
    }
  }
}

extension ByteReader {
  mutating func scanResult() -> ScanResult? {
    guard let kind = byte() else { return nil }
    switch kind {
    case 0: return data().map { .answer(Array($0)) }
    case 5: return string().map { .quarantine(.registration($0)) }
    case 1...4, 6:
      guard let word = word(), let step = byte().flatMap(ScanStep.init), let tail = string()
      else { return nil }
      let number = Int64(bitPattern: word)
      switch kind {
      case 1: return .quarantine(.scanSignal(Int32(clamping: number), step, errorTail: tail))
      case 2: return .quarantine(.scanStatus(Int32(clamping: number), step, errorTail: tail))
      case 3:
        return .quarantine(.scanTimeout(.milliseconds(number), step, errorTail: tail))
      case 6:
        guard let limit = self.word() else { return nil }
        return .quarantine(
          .scanMemory(UInt64(clamping: number), limit: limit, step, errorTail: tail))
      default:
        return .quarantine(.scanFlood(limit: Int(clamping: number), step, errorTail: tail))
      }
    default: return nil
    }
  }
}
