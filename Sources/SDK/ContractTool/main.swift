import Glibc

// Arguments: the compiler, the file to write, the SDK's sources in a fixed order.

func fail(_ message: String) -> Never {
  let line = "error: \(message)\n"
  write(STDERR_FILENO, line, line.utf8.count)
  exit(1)
}

func read(_ stream: UnsafeMutablePointer<FILE>) -> [UInt8] {
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = fread(&chunk, 1, chunk.count, stream)
    if count == 0 { return bytes }
    bytes.append(contentsOf: chunk[..<count])
  }
}

/// The release in `swiftc --version`'s first line, such as `6.3.1`.
func compilerVersion(_ compiler: String) -> String? {
  guard let pipe = popen("'\(compiler)' --version 2>/dev/null", "r") else { return nil }
  let text = String(decoding: read(pipe), as: UTF8.self)
  pclose(pipe)
  let words = text.split(whereSeparator: \.isWhitespace)
  guard let index = words.firstIndex(of: "version"), words.indices.contains(index + 1) else {
    return nil
  }
  return String(words[index + 1])
}

/// FNV-1a over 128 bits: enough to tell builds apart; it guards against accidents, not attackers.
struct Digest {
  private var state: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d

  mutating func update(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      state ^= UInt128(byte)
      state = state &* 0x0000_0000_0100_0000_0000_0000_0000_013b
    }
  }

  /// The digest's first 64 bits, as 16 hexadecimal digits.
  var text: String {
    let digits = String(UInt64(truncatingIfNeeded: state >> 64 ^ state), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

let arguments = CommandLine.arguments
guard arguments.count > 3 else { fail("usage: ContractTool COMPILER OUTPUT SOURCE…") }
guard let compiler = compilerVersion(arguments[1]) else {
  fail("no version in the output of '\(arguments[1]) --version'")
}

/// What follows `text` in a line of `source`, up to the first of `ends`.
func value(after text: String, until ends: Set<Character>, in source: [UInt8]) -> String? {
  for line in String(decoding: source, as: UTF8.self).split(separator: "\n") {
    if let range = line.firstRange(of: text) {
      return String(line[range.upperBound...].prefix { !ends.contains($0) })
    }
  }
  return nil
}

var digest = Digest()
var sdkVersion: String?
var epoch: String?
digest.update(compiler.utf8)
for path in arguments[3...] {
  guard let file = fopen(path, "r") else { fail("cannot read \(path)") }
  let source = read(file)
  fclose(file)
  digest.update(source)
  if path.hasSuffix("/SDK.swift") {
    sdkVersion = value(after: "static let version = \"", until: ["\""], in: source)
    epoch = value(after: "static let epoch = ", until: [" ", "\r"], in: source)
  }
}
guard let sdkVersion else { fail("SDK.swift declares no version") }
guard let epoch, Int(epoch) != nil else { fail("SDK.swift declares no epoch") }

let compilerPart = String(compiler.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
let symbol = "appcore_contract_\(epoch)_swift_\(compilerPart)"
let text = """
  /// The symbol that names the contract of this SDK; see docs/versions.md.
  ///
  /// It must not be inlined: a release build would lose the reference that plugins carry.
  @c(\(symbol))
  @inline(never)
  public func appcoreContractSymbol() -> Int32 { 1 }

  /// The mark in a plugin's file that says which version of the SDK it was compiled against.
  @_alwaysEmitIntoClient
  public var appcoreVersionMark: StaticString { "appcore.sdk.version=\(sdkVersion)" }

  extension SDK {
    /// The contract of this SDK, as its symbol names it.
    public static let contractSymbol = "\(symbol)"
    /// The version of the compiler that this SDK was compiled by, such as `6.3.1`.
    public static let compilerVersion = "\(compiler)"
    /// A digest of the SDK's sources and of the compiler's version.
    public static let sourcesDigest = "\(digest.text)"
  }

  """
guard let output = fopen(arguments[2], "w") else { fail("cannot write \(arguments[2])") }
guard fputs(text, output) >= 0, fclose(output) == 0 else { fail("cannot write \(arguments[2])") }
